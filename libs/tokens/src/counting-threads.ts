import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Encoding } from './model-encoding';
import { TokenCounterError } from './token-counter-error';

/** Attempts at one job: the first and one more on a new thread. */
const MAX_ATTEMPTS = 2;

/** Beside `src` and `dist` alike, in plain CommonJS, so that a thread starts from it without any loader. */
const WORKER_FILE = join(__dirname, '..', 'worker', 'count-worker.cjs');

/** What a thread finds out about one part. */
export interface PartCount {
  readonly tokens: number;
  /** See `worker/script-allowance.cjs`; matters for upper bounds only. */
  readonly allowanceHundredths: number;
}

interface Job {
  readonly encoding: Encoding;
  readonly parts: readonly string[];
  readonly resolve: (counts: readonly PartCount[]) => void;
  readonly reject: (error: TokenCounterError) => void;
  attempts: number;
}

interface Thread {
  readonly worker: Worker;
  job: Job | undefined;
}

type Reply =
  | { readonly counts: readonly PartCount[]; readonly threadId: number }
  | { readonly failure: string; readonly threadId: number };

/** Starts the thread of a {@link CountingThreads}. */
export type SpawnThread = () => Worker;

/**
 * A fixed number of threads that count, started when first needed and kept.
 *
 *     waiting -> counting on a thread -> resolved
 *                   | thread died or answered with a failure, first time: waiting again, for a new thread
 *                   | second time, or closed:                             rejected with TOKEN_COUNTER_FAILED
 *
 * An idle thread does not keep the process alive.
 */
export class CountingThreads {
  readonly #spawn: SpawnThread;
  readonly #maxThreads: number;
  readonly #threads = new Set<Thread>();
  readonly #waiting: Job[] = [];
  readonly #partsByThread = new Map<number, number>();
  #closed = false;

  constructor(maxThreads: number, spawn: SpawnThread = () => new Worker(WORKER_FILE)) {
    this.#maxThreads = Math.max(1, Math.trunc(maxThreads));
    this.#spawn = spawn;
  }

  /** Parts counted so far by thread id; never contains the id of the caller's thread. */
  get partsByThread(): ReadonlyMap<number, number> {
    return this.#partsByThread;
  }

  /** Counts of each part, same order. Rejects with {@link TokenCounterError}. */
  count(encoding: Encoding, parts: readonly string[]): Promise<readonly PartCount[]> {
    return new Promise((resolve, reject) => {
      if (this.#closed) {
        reject(new TokenCounterError('the token counter is closed'));
        return;
      }
      this.#waiting.push({ encoding, parts, resolve, reject, attempts: 0 });
      this.#assign();
    });
  }

  /** Ends all threads; what was not counted yet is rejected. */
  async close(): Promise<void> {
    this.#closed = true;
    const threads = [...this.#threads];
    this.#threads.clear();
    const abandoned = [...threads.flatMap((thread) => thread.job ?? []), ...this.#waiting.splice(0)];
    for (const job of abandoned)
      job.reject(new TokenCounterError('the token counter was closed before it had counted'));
    await Promise.all(threads.map((thread) => thread.worker.terminate()));
  }

  #assign(): void {
    while (this.#waiting.length > 0) {
      const thread = this.#findIdle();
      if (thread === undefined) return;
      const job = this.#waiting.shift();
      if (job === undefined) return;
      job.attempts++;
      thread.job = job;
      thread.worker.ref();
      thread.worker.postMessage({ encoding: job.encoding, parts: job.parts });
    }
  }

  #findIdle(): Thread | undefined {
    for (const thread of this.#threads) if (thread.job === undefined) return thread;
    return this.#threads.size < this.#maxThreads ? this.#start() : undefined;
  }

  #start(): Thread {
    const thread: Thread = { worker: this.#spawn(), job: undefined };
    this.#threads.add(thread);
    thread.worker.on('message', (reply: Reply) => this.#settle(thread, reply));
    thread.worker.on('error', (error) => this.#lose(thread, error));
    thread.worker.on('exit', (exitCode) =>
      this.#lose(thread, new Error(`the counting thread ended with exit code ${String(exitCode)}`)),
    );
    return thread;
  }

  #settle(thread: Thread, reply: Reply): void {
    const { job } = thread;
    if (job === undefined) return;
    if ('failure' in reply) {
      this.#lose(thread, new Error(reply.failure));
      void thread.worker.terminate();
      return;
    }
    thread.job = undefined;
    thread.worker.unref();
    this.#partsByThread.set(reply.threadId, (this.#partsByThread.get(reply.threadId) ?? 0) + reply.counts.length);
    job.resolve(reply.counts);
    this.#assign();
  }

  #lose(thread: Thread, cause: unknown): void {
    if (!this.#threads.delete(thread)) return;
    const { job } = thread;
    thread.job = undefined;
    if (job !== undefined) {
      if (job.attempts < MAX_ATTEMPTS) this.#waiting.unshift(job);
      else job.reject(new TokenCounterError(`counting failed on ${String(MAX_ATTEMPTS)} threads`, cause));
    }
    this.#assign();
  }
}
