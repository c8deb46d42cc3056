import {
  ELEMENT_CLASSES,
  type ElementClass,
  type OutcomeName,
  OUTCOMES,
  REFUSAL_CODES,
  type RefusalCode,
} from '@holdfast/core';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** Parts of a pass whose time is measured, in order. */
export const PASS_PHASES = ['claim', 'classify', 'plan', 'secure', 'summarize', 'verify', 'commit'] as const;
export type PassPhase = (typeof PASS_PHASES)[number];

/** Why a job was sent: for the first time, because its lease ran out, because the queue lost it, or by an operator. */
export const DISPATCH_REASONS = ['first', 'lease_expired', 'queue_lost', 'manual'] as const;
export type DispatchReason = (typeof DISPATCH_REASONS)[number];

export const TOKEN_SIDES = ['before', 'after', 'pinned'] as const;
export type TokenSide = (typeof TOKEN_SIDES)[number];

/** From the few milliseconds of a plan to a slow model. */
const PHASE_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];
/** Waiting included: passes of one session run one after the other. */
const ACCEPT_TO_FINISH_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 900, 3_600];

export interface BuildIdentity {
  readonly service: string;
  readonly version: string;
  readonly commit: string;
}

/**
 * The metrics of one process. No label is a tenant, an agent, a session or an id: those belong into the database. Every
 * value of every label of a counter is there from the start, as zero, so that the first event is a rise that a rule can see.
 */
export interface Metrics {
  countPass(outcome: OutcomeName): void;
  countRefusal(code: RefusalCode): void;
  observePhase(phase: PassPhase, seconds: number): void;
  observeAcceptToFinish(seconds: number): void;
  /** Jobs not sent yet, and the age of the oldest; set by the process that relays. */
  setOutbox(state: { readonly pending: number; readonly oldestAgeSeconds: number }): void;
  countDispatch(reason: DispatchReason, jobs?: number): void;
  /** A write that came from a process which no longer holds the session. */
  countFenceRejection(): void;
  countTokens(side: TokenSide, tokens: number): void;
  countElements(elementClass: ElementClass, elements: number): void;
  /** In the text format of Prometheus; the type for the response is `contentType`. */
  renderMetrics(): Promise<string>;
  readonly contentType: string;
  /** Where the jobs in the queues are learnt from, at every rendering; a queue that is not answered for is absent. */
  watchQueues(look: () => Promise<readonly QueueJobs[]>): void;
}

/** Jobs in one queue by state, and how long the oldest one waits; 0 when none does. */
export interface QueueJobs {
  readonly queue: string;
  readonly jobs: Readonly<Record<string, number>>;
  readonly oldestWaitingSeconds: number;
}

/** A registry of its own, so that tests and processes do not share one. */
export function createMetrics(build: BuildIdentity): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });

  const passes = new Counter({
    name: 'holdfast_passes_total',
    help: 'Passes that ended, by outcome',
    labelNames: ['outcome'],
    registers,
  });
  const refusals = new Counter({
    name: 'holdfast_refusals_total',
    help: 'Refusals, by code; a pass can have several',
    labelNames: ['code'],
    registers,
  });
  const phases = new Histogram({
    name: 'holdfast_pass_phase_seconds',
    help: 'Time of one phase of one pass',
    labelNames: ['phase'],
    buckets: PHASE_SECONDS,
    registers,
  });
  const acceptToFinish = new Histogram({
    name: 'holdfast_accept_to_finish_seconds',
    help: 'Time from accepting a window to its outcome, waiting included',
    buckets: ACCEPT_TO_FINISH_SECONDS,
    registers,
  });
  const outboxPending = new Gauge({
    name: 'holdfast_outbox_pending',
    help: 'Jobs not sent to the queue yet',
    registers,
  });
  const outboxAge = new Gauge({
    name: 'holdfast_outbox_oldest_age_seconds',
    help: 'Age of the oldest job that is not sent yet; 0 when there is none',
    registers,
  });
  const queueJobs = new Gauge({
    name: 'holdfast_queue_jobs',
    help: 'Jobs in a queue, by state; absent while the queue does not answer',
    labelNames: ['queue', 'state'],
    registers,
  });
  const queueAge = new Gauge({
    name: 'holdfast_queue_oldest_waiting_seconds',
    help: 'Age of the oldest waiting job of a queue; 0 when none waits, absent while the queue does not answer',
    labelNames: ['queue'],
    registers,
  });
  const dispatches = new Counter({
    name: 'holdfast_dispatches_total',
    help: 'Jobs handed to the queue, by reason',
    labelNames: ['reason'],
    registers,
  });
  const fenceRejections = new Counter({
    name: 'holdfast_fence_rejections_total',
    help: 'Writes refused because the writer no longer held the session',
    registers,
  });
  const tokens = new Counter({
    name: 'holdfast_tokens_total',
    help: 'Tokens of windows before and after their passes, and of what was pinned',
    labelNames: ['side'],
    registers,
  });
  const elements = new Counter({
    name: 'holdfast_elements_total',
    help: 'Elements classified, by class',
    labelNames: ['class'],
    registers,
  });
  new Gauge({
    name: 'build_info',
    help: 'Always 1; what is running',
    labelNames: ['service', 'version', 'commit'],
    registers,
  }).set({ ...build }, 1);

  for (const outcome of OUTCOMES) passes.inc({ outcome }, 0);
  for (const code of REFUSAL_CODES) refusals.inc({ code }, 0);
  for (const phase of PASS_PHASES) phases.zero({ phase });
  for (const reason of DISPATCH_REASONS) dispatches.inc({ reason }, 0);
  for (const side of TOKEN_SIDES) tokens.inc({ side }, 0);
  for (const elementClass of ELEMENT_CLASSES) elements.inc({ class: elementClass }, 0);

  let lookAtQueues = async (): Promise<readonly QueueJobs[]> => [];
  const refreshQueues = async (): Promise<void> => {
    const seen = await lookAtQueues().catch(() => []);
    queueJobs.reset();
    queueAge.reset();
    for (const { queue, jobs, oldestWaitingSeconds } of seen) {
      for (const [state, count] of Object.entries(jobs)) queueJobs.set({ queue, state }, count);
      queueAge.set({ queue }, oldestWaitingSeconds);
    }
  };

  return {
    countPass: (outcome) => passes.inc({ outcome }),
    countRefusal: (code) => refusals.inc({ code }),
    observePhase: (phase, seconds) => phases.observe({ phase }, seconds),
    observeAcceptToFinish: (seconds) => acceptToFinish.observe(seconds),
    setOutbox({ pending, oldestAgeSeconds }) {
      outboxPending.set(pending);
      outboxAge.set(oldestAgeSeconds);
    },
    countDispatch: (reason, jobs = 1) => dispatches.inc({ reason }, jobs),
    countFenceRejection: () => fenceRejections.inc(),
    countTokens: (side, count) => tokens.inc({ side }, count),
    countElements: (elementClass, count) => elements.inc({ class: elementClass }, count),
    async renderMetrics() {
      await refreshQueues();
      return registry.metrics();
    },
    contentType: registry.contentType,
    watchQueues(look) {
      lookAtQueues = look;
    },
  };
}
