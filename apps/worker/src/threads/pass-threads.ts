import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { HoldfastError, type PassRequest } from '@holdfast/core';
import type { PassStep, StepAnswer, StepPorts } from './pass-step';
import type { FromThread, ToThread } from './thread-messages';

/** Runs steps of passes somewhere. */
export interface StepRunner {
  /** Rejects with what a port rejected with, with a HoldfastError, or with PASS_THREAD_FAILED. */
  run(step: PassStep, request: PassRequest, ports: StepPorts): Promise<StepAnswer>;
  close(): Promise<void>;
}

/** Compiled: a thread cannot load TypeScript. */
const ENTRY = join(__dirname, '../../dist/threads/pass-thread.js');
const MOST_THREADS = 4;
/** Of one thread. A window of 50 MB takes about 1 GB of nodes and texts. */
const HEAP_MEGABYTES = 3_072;

interface RunningPass {
  readonly ports: StepPorts;
  readonly resolve: (answer: StepAnswer) => void;
  readonly reject: (error: unknown) => void;
  /** What calls were rejected with, until the thread says which one ended the pass. */
  readonly rejections: Map<number, unknown>;
}

interface PassThread {
  readonly worker: Worker;
  readonly running: Map<number, RunningPass>;
}

/**
 * Threads that compute passes, so that heartbeats and health checks go on while a big window is compacted. They hold no
 * connection: the store and the counter are called back in this thread. Started when first needed, again after a death.
 */
export class PassThreads implements StepRunner {
  private threads: PassThread[] = [];
  private lastPass = 0;
  private closed = false;

  constructor(private readonly most = Math.min(MOST_THREADS, Math.max(1, availableParallelism() - 1))) {
    if (!existsSync(ENTRY)) throw new Error(`${ENTRY} is missing: the build is incomplete`);
  }

  run(step: PassStep, request: PassRequest, ports: StepPorts): Promise<StepAnswer> {
    if (this.closed) return Promise.reject(threadFailed('the threads are closed'));
    const thread = this.leastBusy();
    const pass = (this.lastPass += 1);
    const { name, exact } = ports.counter;
    const { name: summarizerName, deterministic } = ports.summarizer;
    return new Promise((resolve, reject) => {
      thread.running.set(pass, { ports, resolve, reject, rejections: new Map() });
      const summarizer = { name: summarizerName, deterministic };
      tell(thread, { type: 'start', pass, step, request, counter: { name, exact }, summarizer });
    });
  }

  async close(): Promise<void> {
    this.closed = true;
    await Promise.all(this.threads.map(({ worker }) => worker.terminate()));
  }

  private leastBusy(): PassThread {
    const idle = this.threads.find(({ running }) => running.size === 0);
    if (idle !== undefined) return idle;
    if (this.threads.length < this.most) return this.start();
    return this.threads.reduce((least, thread) => (thread.running.size < least.running.size ? thread : least));
  }

  private start(): PassThread {
    const worker = new Worker(ENTRY, { resourceLimits: { maxOldGenerationSizeMb: HEAP_MEGABYTES } });
    const thread: PassThread = { worker, running: new Map() };
    let cause: unknown;
    worker.on('message', (message: FromThread) => void this.hear(thread, message));
    worker.on('error', (error) => (cause = error));
    worker.on('exit', () => {
      this.threads = this.threads.filter((other) => other !== thread);
      for (const pass of thread.running.values()) pass.reject(threadFailed('a thread ended', cause));
      thread.running.clear();
    });
    this.threads.push(thread);
    return thread;
  }

  private async hear(thread: PassThread, message: FromThread): Promise<void> {
    const pass = thread.running.get(message.pass);
    if (pass === undefined) return;
    if (message.type === 'call') {
      try {
        const value = await answer(pass.ports, message);
        tell(thread, { type: 'answer', pass: message.pass, call: message.call, value });
      } catch (error) {
        pass.rejections.set(message.call, error);
        tell(thread, { type: 'rejection', pass: message.pass, call: message.call });
      }
      return;
    }
    thread.running.delete(message.pass);
    if (message.type === 'done') {
      pass.resolve(message.answer);
      return;
    }
    const { code, message: said, retryable } = message.error;
    const rejection = message.rejectedCall === undefined ? undefined : pass.rejections.get(message.rejectedCall);
    pass.reject(rejection ?? new HoldfastError(code, said, 'Look at the log of the worker.', retryable));
  }
}

function tell(thread: PassThread, message: ToThread): void {
  thread.worker.postMessage(message);
}

type Call = Extract<FromThread, { type: 'call' }>;

/** Calls a port on behalf of a thread; both ends are compiled from one source, so inputs are what they say. */
function answer({ store, counter, summarizer, reach }: StepPorts, { method, input }: Call): Promise<unknown> {
  switch (method) {
    case 'load':
      return store.load();
    case 'secure':
      return store.secure(input as Parameters<typeof store.secure>[0]);
    case 'findSecured':
      return store.findSecured(input as Parameters<typeof store.findSecured>[0]);
    case 'findOriginal':
      return store.findOriginal(input as string);
    case 'resolveHandles':
      return store.resolveHandles(input as readonly string[]);
    case 'findSegment':
      return store.findSegment(input as string);
    case 'recordSegment':
      return store.recordSegment(input as Parameters<typeof store.recordSegment>[0]);
    case 'count':
      return counter.count(input as readonly string[]);
    case 'summarize':
      return summarizer.summarize(input as Parameters<typeof summarizer.summarize>[0]);
    case 'reach':
      return reach(input as Parameters<typeof reach>[0]);
  }
}

function threadFailed(what: string, cause?: unknown): HoldfastError {
  const error = new HoldfastError(
    'PASS_THREAD_FAILED',
    `The pass was not computed: ${what}`,
    'It is tried again; if it persists, look at the memory limit of the worker.',
    true,
  );
  error.cause = cause;
  return error;
}
