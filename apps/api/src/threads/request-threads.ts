import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { ApiProblem } from '../problems/api-problem';
import { readCompactionBody } from '../reading/read-compaction-body';
import type { ReplyMessage, RequestTaskKind, RequestTasks } from './request-task';

/** Bodies up to here are read on the event loop: some 10 ms, less than a thread's way there and back would be worth. */
const INLINE_BYTES = 256 * 1024;
/** Tasks that wait for one thread; beyond it the caller is told to come back. */
const MOST_WAITING = 32;
/** Heap of one thread. A body of 50 MB with as many values as it may have takes some 700 MB of it. */
const HEAP_MEGABYTES = 1_536;
/** Compiled: a thread cannot load TypeScript. */
const ENTRY = join(__dirname, '../../dist/threads/request-thread.js');

/**
 * Threads for what would hold up the event loop: one reads large bodies, one makes plans, one audits, one suggests contracts, one searches windows, so that a long
 * plan does not keep requests from being accepted. Each starts when first needed, and again after it broke.
 */
export class RequestThreads {
  private readonly lanes: Readonly<Record<RequestTaskKind, ThreadLane>>;

  constructor(tokenizerThreads: number, heapMegabytes = HEAP_MEGABYTES) {
    const lane = (): ThreadLane => new ThreadLane(tokenizerThreads, heapMegabytes);
    this.lanes = { read: lane(), plan: lane(), audit: lane(), suggest: lane(), downstream: lane() };
  }

  /** Reads a body; a large one in a thread, and then `bytes` is handed over and empty afterwards. Throws BUSY. */
  async read(input: RequestTasks['read']['input']): Promise<RequestTasks['read']['output']> {
    if (input.bytes.byteLength <= INLINE_BYTES) return readCompactionBody(input.bytes, input.limits);
    // A buffer of its own: one of Node's pool cannot be handed over.
    const owned = ownBytes(input.bytes);
    return this.lanes.read.run('read', { ...input, bytes: owned }, [owned.buffer]);
  }

  /** Throws BUSY. */
  async plan(input: RequestTasks['plan']['input']): Promise<RequestTasks['plan']['output']> {
    return this.lanes.plan.run('plan', input, []);
  }

  /** Throws BUSY. */
  async suggest(input: RequestTasks['suggest']['input']): Promise<RequestTasks['suggest']['output']> {
    return this.lanes.suggest.run('suggest', input, []);
  }

  /** Throws BUSY. */
  async downstream(input: RequestTasks['downstream']['input']): Promise<RequestTasks['downstream']['output']> {
    return this.lanes.downstream.run('downstream', input, []);
  }

  /** `bytes` is handed over and empty afterwards. Throws BUSY. */
  async audit(input: RequestTasks['audit']['input']): Promise<RequestTasks['audit']['output']> {
    const owned = ownBytes(input.bytes);
    return this.lanes.audit.run('audit', { ...input, bytes: owned }, [owned.buffer]);
  }

  async close(): Promise<void> {
    await Promise.all(Object.values(this.lanes).map((lane) => lane.close()));
  }
}

function ownBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return bytes.byteOffset === 0 && bytes.buffer instanceof ArrayBuffer && bytes.buffer.byteLength === bytes.byteLength
    ? (bytes as Uint8Array<ArrayBuffer>)
    : new Uint8Array(bytes);
}

interface Waiting {
  readonly resolve: (output: never) => void;
  readonly reject: (error: unknown) => void;
}

class ThreadLane {
  private thread: Worker | undefined;
  private readonly waiting = new Map<number, Waiting>();
  private nextId = 1;
  private closed = false;

  constructor(
    private readonly tokenizerThreads: number,
    private readonly heapMegabytes: number,
  ) {}

  run<Kind extends RequestTaskKind>(
    kind: Kind,
    input: RequestTasks[Kind]['input'],
    transfer: readonly ArrayBuffer[],
  ): Promise<RequestTasks[Kind]['output']> {
    if (this.closed || this.waiting.size >= MOST_WAITING) return Promise.reject(busy());
    const thread = (this.thread ??= this.start());
    const id = this.nextId++;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      thread.postMessage({ id, kind, input }, [...transfer]);
    });
  }

  async close(): Promise<void> {
    this.closed = true;
    await this.thread?.terminate();
  }

  private start(): Worker {
    const thread = new Worker(ENTRY, {
      workerData: { tokenizerThreads: this.tokenizerThreads },
      resourceLimits: { maxOldGenerationSizeMb: this.heapMegabytes },
    });
    thread.on('message', (reply: ReplyMessage) => this.settle(reply));
    thread.on('error', (error) => this.broken(thread, error));
    thread.on('exit', () => this.broken(thread, busy()));
    thread.unref();
    return thread;
  }

  private settle(reply: ReplyMessage): void {
    const waiting = this.waiting.get(reply.id);
    this.waiting.delete(reply.id);
    if (reply.ok) waiting?.resolve(reply.output as never);
    else
      waiting?.reject(new ApiProblem('INTERNAL', undefined, { cause: new Error(`${reply.code}: ${reply.message}`) }));
  }

  /** A thread that ran out of memory takes its tasks with it; the next task gets a new one. */
  private broken(thread: Worker, error: unknown): void {
    if (this.thread !== thread) return;
    this.thread = undefined;
    const lost = [...this.waiting.values()];
    this.waiting.clear();
    // It works in order, so the first is what was too much for it.
    const culprit = isOutOfMemory(error) ? lost.shift() : undefined;
    culprit?.reject(new ApiProblem('BODY_TOO_MANY_VALUES', 'The body takes more memory than this server gives to one'));
    for (const { reject } of lost) reject(busy(error));
  }
}

function isOutOfMemory(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}

function busy(cause?: unknown): ApiProblem {
  return new ApiProblem('BUSY', undefined, { headers: { 'Retry-After': '2' }, cause });
}
