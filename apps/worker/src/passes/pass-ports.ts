import { extractiveSummarizer, type Summarizer } from '@holdfast/core';
import type { Logger } from '@holdfast/observability';
import { type ClaimedPass, createPrismaSessionStore, type Dispatch } from '@holdfast/persistence';
import type { PassStep, StepPorts } from '../threads/pass-step';
import { countingBytes } from './pass-counts';
import type { PassDependencies } from './pass-dependencies';
import type { PassTrace } from './pass-trace';
import { summarizerOf } from './summarizer-of';

type PortDependencies = Pick<
  PassDependencies,
  'database' | 'passes' | 'failpoints' | 'counterFor' | 'metrics' | 'summarizers'
>;

/** One step of one pass. */
export interface StepOfPass {
  readonly claim: ClaimedPass;
  readonly step: PassStep;
  readonly signal: AbortSignal;
  readonly trace: PassTrace;
  readonly log: Logger;
  /** Told of what the step's commit made due. */
  onDispatch(dispatch: Dispatch): void;
}

/** What a step may call: the store of its session, a counter, a summarizer. */
export function portsOf(deps: PortDependencies, pass: StepOfPass): StepPorts {
  const { database, passes, failpoints, counterFor, metrics } = deps;
  const { claim, step, signal, onDispatch } = pass;
  const { tenantId, sessionId, compactionId, epoch } = claim.fence;
  const store = createPrismaSessionStore(database, {
    ...{ tenantId, sessionId },
    pass: {
      ...{ compactionId, fenceEpoch: epoch, handOver: step === 'secure' },
      onDispatch,
      beforeCommit: () => failpoints.pass('secured_before_commit'),
    },
  });
  return {
    store: countingBytes(store, metrics),
    counter: counterFor(claim.model),
    summarizer: summarizerFor(deps, pass),
    async reach(milestone) {
      throwIfAborted(signal);
      if (milestone === 'summarized') await passes.recordEvent(claim.fence, 'summarized', {});
      failpoints.pass(milestone);
    },
  };
}

function summarizerFor({ summarizers, metrics }: PortDependencies, { claim, trace, log }: StepOfPass): Summarizer {
  const choice = summarizerOf(claim.policy.summarizer, summarizers, (request, by) => {
    const seconds = (request.endedAtMs - request.startedAtMs) / 1_000;
    metrics.observeSummarizerRequest(by.provider, request.outcome, seconds);
    trace.request({ ...request, ...by });
  });
  if (choice.kind === 'chosen') return choice.summarizer;
  log.warn({ reason: choice.reason }, "The agent's language model is not used; summaries are extractive");
  return extractiveSummarizer;
}

export function throwIfAborted(signal: AbortSignal): void {
  if (!signal.aborted) return;
  const reason: unknown = signal.reason;
  throw reason instanceof Error ? reason : new Error('the job was told to stop');
}
