import { parentPort, workerData } from 'node:worker_threads';
import { InvalidWindowError, isHoldfastError } from '@holdfast/core';
import { createTokenCounterPool, type TokenCounterPool } from '@holdfast/tokens';
import { runAudit } from '../audits/run-audit';
import { runSuggestion } from '../contracts/run-suggestion';
import { findDownstreamCalls } from '../drift/find-downstream';
import { runPlan } from '../plans/run-plan';
import { readCompactionBody } from '../reading/read-compaction-body';
import type { PlanOutcome, ReplyMessage, RequestMessage, RequestTaskKind, RequestTasks } from './request-task';

/** Entry of a thread: reads bodies, makes plans, audits. One task after the other. */
const port = parentPort;
if (port === null) throw new Error('This file is the entry of a worker thread');
const { tokenizerThreads } = workerData as { readonly tokenizerThreads: number };
let counters: TokenCounterPool | undefined;

port.on('message', (message: RequestMessage) => {
  void answer(message).then(
    (output) => {
      const reply: ReplyMessage = { id: message.id, ok: true, output };
      const isRead = output.kind === 'read';
      port.postMessage(reply, isRead ? [output.source.buffer, output.requestHash.buffer] : []);
    },
    (thrown: unknown) => {
      const code = isHoldfastError(thrown) ? thrown.code : 'INTERNAL';
      const text = thrown instanceof Error ? (thrown.stack ?? thrown.message) : 'unknown';
      port.postMessage({ id: message.id, ok: false, code, message: text } satisfies ReplyMessage);
    },
  );
});

async function answer(message: RequestMessage): Promise<RequestTasks[RequestTaskKind]['output']> {
  switch (message.kind) {
    case 'read':
      return readCompactionBody(message.input.bytes, message.input.limits);
    case 'plan':
      return plan(message.input);
    case 'suggest':
      return runSuggestion(message.input);
    case 'downstream':
      return { kind: 'downstream', calls: findDownstreamCalls(message.input) };
    case 'audit':
      return runAudit(message.input);
  }
}

async function plan(task: RequestTasks['plan']['input']): Promise<PlanOutcome> {
  counters ??= createTokenCounterPool({ threads: tokenizerThreads });
  try {
    return { kind: 'planned', plan: await runPlan(task, counters.counterFor(task.model)) };
  } catch (thrown) {
    if (!(thrown instanceof InvalidWindowError)) throw thrown;
    return {
      kind: 'problems',
      errors: thrown.problems.map(({ code, path, message }) => ({ code, path: `/window${path}`, in: 'body', message })),
    };
  }
}
