import { parentPort } from 'node:worker_threads';
import {
  extractiveSummarizer,
  isHoldfastError,
  type SessionStore,
  type Summarizer,
  type TokenCounter,
} from '@holdfast/core';
import { runPassStep, type StepPorts } from './pass-step';
import type { FromThread, PortMethod, ToThread } from './thread-messages';

/** The main thread rejected a call; it kept the error and knows it by this number. */
class CallRejected extends Error {
  constructor(readonly call: number) {
    super('the main thread rejected the call');
  }
}

type Start = Extract<ToThread, { type: 'start' }>;

interface Waiting {
  readonly resolve: (value: never) => void;
  readonly reject: (error: CallRejected) => void;
}

const port = parentPort;
if (port === null) throw new Error('this file runs as a worker thread');
const waiting = new Map<number, Waiting>();
let lastCall = 0;

function say(message: FromThread): void {
  port?.postMessage(message);
}

port.on('message', (message: ToThread) => {
  if (message.type === 'start') {
    void run(message);
    return;
  }
  const call = waiting.get(message.call);
  waiting.delete(message.call);
  if (message.type === 'answer') call?.resolve(message.value as never);
  else call?.reject(new CallRejected(message.call));
});

async function run({ pass, step, request, ...named }: Start): Promise<void> {
  try {
    say({ type: 'done', pass, answer: await runPassStep(step, request, portsOf(pass, named)) });
  } catch (error) {
    const rejectedCall = error instanceof CallRejected ? error.call : undefined;
    const known = isHoldfastError(error)
      ? { code: error.code, message: error.message, retryable: error.retryable }
      : { code: 'PASS_BROKEN', message: error instanceof Error ? (error.stack ?? error.message) : '', retryable: true };
    say({ type: 'failed', pass, rejectedCall, error: known });
  }
}

function portsOf(pass: number, { counter, summarizer }: Pick<Start, 'counter' | 'summarizer'>): StepPorts {
  const ask = <Answer>(method: PortMethod, input: unknown): Promise<Answer> => {
    const call = (lastCall += 1);
    return new Promise((resolve, reject) => {
      waiting.set(call, { resolve, reject });
      say({ type: 'call', pass, call, method, input });
    });
  };
  const store: SessionStore = {
    load: () => ask('load', undefined),
    secure: (batch) => ask('secure', batch),
    findSecured: (batch) => ask('findSecured', batch),
    findOriginal: (handle) => ask('findOriginal', handle),
    resolveHandles: (handles) => ask('resolveHandles', handles),
    findSegment: (inputDigest) => ask('findSegment', inputDigest),
    recordSegment: (segment) => ask('recordSegment', segment),
  };
  const counting: TokenCounter = { ...counter, count: (texts) => ask('count', texts) };
  // The extractive one needs nobody: it runs here.
  const summarizing: Summarizer =
    summarizer.name === extractiveSummarizer.name
      ? extractiveSummarizer
      : { ...summarizer, summarize: (wish) => ask('summarize', wish) };
  return { store, counter: counting, summarizer: summarizing, reach: (milestone) => ask('reach', milestone) };
}
