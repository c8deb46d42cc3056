import { extractiveSummarizer, type Summarizer, type TokenCounter } from '@holdfast/core';
import { type Logger, type Metrics, type PassPhase, withIds } from '@holdfast/observability';
import {
  type ClaimedPass,
  createPrismaSessionStore,
  type Database,
  type Dispatch,
  type Fence,
  type PassEnd,
  type PassRepository,
  type PhaseTimes,
} from '@holdfast/persistence';
import type { ReceivedJob } from '@holdfast/queue';
import type { PassStep, StepPorts } from '../threads/pass-step';
import type { StepRunner } from '../threads/pass-threads';
import type { Failpoints } from './failpoints';
import { type LeaseHeartbeat, startHeartbeat } from './lease-heartbeat';
import { countingBytes, countOutcome } from './pass-counts';
import { answerTo } from './pass-error';
import { requestOf, unreadable } from './pass-request';
import { type AllowedSummarizers, summarizerOf } from './summarizer-of';

export interface PassSettings {
  /** Who this worker is, for operators. */
  readonly owner: string;
  readonly leaseMs: number;
  readonly maxAttempts: number;
}

export interface PassDependencies {
  readonly database: Database;
  readonly passes: PassRepository;
  readonly runner: StepRunner;
  counterFor(model: string | undefined): TokenCounter;
  /** Tells the queue of what a commit made due; best effort. */
  dispatch(dispatch: Dispatch): void;
  readonly metrics: Metrics;
  readonly log: Logger;
  readonly failpoints: Failpoints;
  readonly settings: PassSettings;
  readonly summarizers: AllowedSummarizers;
}

/**
 * Runs the pass that a job names, as far as its phase says: `accepted` is secured, `secured` is summarized and finished.
 * Whatever comes of it, the job is done: retries belong to the pass row and the reconciler.
 */
export class PassProcessor {
  constructor(private readonly deps: PassDependencies) {}

  async process(job: ReceivedJob): Promise<void> {
    const { passes, settings, log, failpoints } = this.deps;
    const jobLog = withIds(log, { compaction_id: job.payload.id, job_id: job.jobId });
    const claimStartedAt = performance.now();
    let claim;
    try {
      claim = await passes.claim(job.payload.id, settings);
    } catch (error) {
      jobLog.warn({ err: error }, 'The pass could not be claimed; it is dispatched again');
      return;
    }
    switch (claim.kind) {
      case 'exhausted':
        await this.end(claim.fence, { kind: 'failed', errorCode: 'ATTEMPTS_EXHAUSTED' }, claim, jobLog).catch(
          (error: unknown) => jobLog.warn({ err: error }, 'The pass could not be given up; it is dispatched again'),
        );
        return;
      case 'claimed':
        this.observe('claim', performance.now() - claimStartedAt);
        failpoints.pass('claimed');
        await this.run(claim, job.signal, withIds(jobLog, { session_id: claim.fence.sessionId }));
        return;
      default:
        jobLog.debug({ claim: claim.kind }, 'Nothing to do for this job');
    }
  }

  private async run(claim: ClaimedPass, jobSignal: AbortSignal, log: Logger): Promise<void> {
    const { passes, settings } = this.deps;
    const heartbeat = startHeartbeat(
      () => passes.heartbeat(claim.fence, settings.leaseMs),
      settings.leaseMs,
      (error) => log.warn({ err: error }, 'A heartbeat failed'),
    );
    try {
      await this.step(claim, AbortSignal.any([jobSignal, heartbeat.signal]), heartbeat, log);
    } catch (error) {
      await heartbeat.stop();
      if (jobSignal.aborted) await this.giveBack(claim.fence, log);
      else await this.answerError(claim, error, log);
    } finally {
      await heartbeat.stop();
    }
  }

  private async step(claim: ClaimedPass, signal: AbortSignal, heartbeat: LeaseHeartbeat, log: Logger): Promise<void> {
    const { runner, passes } = this.deps;
    const startedAt = performance.now();
    if (claim.baseVersion !== undefined && claim.baseVersion !== claim.version) {
      await this.end(claim.fence, { kind: 'superseded', reason: 'base_version_stale' }, claim, log, startedAt);
      return;
    }
    const step: PassStep = claim.phase === 'accepted' ? 'secure' : 'summarize';
    const source = await passes.loadSource(claim.fence, claim.inputWindowId).catch((error: unknown) => {
      throw error instanceof TypeError ? unreadable(error) : error;
    });
    const dispatches: Dispatch[] = [];
    const answer = await runner.run(step, requestOf(claim, source), {
      ...this.portsOf(claim, step, signal, dispatches),
      summarizer: this.summarizerFor(claim, log),
    });
    this.observeTimes(answer.times);
    if (answer.kind === 'secured') {
      await heartbeat.stop();
      this.deps.failpoints.pass('secured');
      for (const dispatch of dispatches) this.deps.dispatch(dispatch);
      log.info({ step, times: answer.times }, 'Secured');
      return;
    }
    throwIfAborted(signal);
    const end: PassEnd = { kind: 'outcome', outcome: answer.outcome, times: answer.times };
    await this.end(claim.fence, end, claim, log, startedAt, heartbeat);
  }

  private summarizerFor(claim: ClaimedPass, log: Logger): Summarizer {
    const choice = summarizerOf(claim.policy.summarizer, this.deps.summarizers);
    if (choice.kind === 'chosen') return choice.summarizer;
    log.warn({ reason: choice.reason }, "The agent's language model is not used; summaries are extractive");
    return extractiveSummarizer;
  }

  private portsOf(
    claim: ClaimedPass,
    step: PassStep,
    signal: AbortSignal,
    dispatches: Dispatch[],
  ): Omit<StepPorts, 'summarizer'> {
    const { database, passes, failpoints, counterFor, metrics } = this.deps;
    const { tenantId, sessionId, compactionId, epoch } = claim.fence;
    const store = createPrismaSessionStore(database, {
      ...{ tenantId, sessionId },
      pass: {
        ...{ compactionId, fenceEpoch: epoch, handOver: step === 'secure' },
        onDispatch: (dispatch) => dispatches.push(dispatch),
        beforeCommit: () => failpoints.pass('secured_before_commit'),
      },
    });
    return {
      store: countingBytes(store, metrics),
      counter: counterFor(claim.model),
      async reach(milestone) {
        throwIfAborted(signal);
        if (milestone === 'summarized') await passes.recordEvent(claim.fence, 'summarized', {});
        failpoints.pass(milestone);
      },
    };
  }

  private async end(
    fence: Fence,
    end: PassEnd,
    pass: Pick<ClaimedPass, 'agentId'> & Partial<Pick<ClaimedPass, 'version' | 'ageMs'>>,
    log: Logger,
    startedAt = performance.now(),
    heartbeat?: LeaseHeartbeat,
  ): Promise<void> {
    const { passes, failpoints, metrics } = this.deps;
    const commitStartedAt = performance.now();
    await heartbeat?.stop();
    const finished = await passes.finish(fence, end, {
      ...{ agentId: pass.agentId, version: pass.version ?? -1n },
      beforeCommit: () => failpoints.pass('finished_before_commit'),
    });
    failpoints.pass('finished');
    if (finished.successor !== undefined) this.deps.dispatch(finished.successor);
    this.observe('commit', performance.now() - commitStartedAt);
    metrics.countPass(finished.outcome);
    if (pass.ageMs !== undefined) {
      metrics.observeAcceptToFinish((pass.ageMs + performance.now() - startedAt) / 1_000);
    }
    if (end.kind === 'outcome') countOutcome(end.outcome, finished.outcome, metrics);
    const code = end.kind === 'failed' ? end.errorCode : undefined;
    log[finished.outcome === 'failed' ? 'error' : 'info'](
      { outcome: finished.outcome, ...(code === undefined ? {} : { code }) },
      'Finished',
    );
  }

  private async answerError(claim: ClaimedPass, error: unknown, log: Logger): Promise<void> {
    const { passes, settings, metrics } = this.deps;
    const answer = answerTo(error);
    if (answer.kind === 'give_way') {
      metrics.countFenceRejection();
      log.warn('Another worker holds the session; nothing was written');
      return;
    }
    try {
      if (answer.kind === 'fail') {
        log.error({ err: error }, 'The pass cannot succeed');
        await this.end(claim.fence, { kind: 'failed', errorCode: answer.code }, claim, log);
        return;
      }
      const failed = await passes.fail(claim.fence, answer.code, {
        ...{ agentId: claim.agentId, version: claim.version, maxAttempts: settings.maxAttempts },
      });
      if (failed.kind === 'final') {
        metrics.countPass('failed');
        if (failed.finished.successor !== undefined) this.deps.dispatch(failed.finished.successor);
        log.error({ err: error }, 'The pass failed for good');
      } else log.warn({ err: error, attempt: failed.attempt }, 'The attempt broke off; it is tried again');
    } catch (failure) {
      if (answerTo(failure).kind === 'give_way') metrics.countFenceRejection();
      log.warn({ err: failure }, 'The failure could not be noted; the lease runs out and the pass is dispatched again');
    }
  }

  private async giveBack(fence: Fence, log: Logger): Promise<void> {
    try {
      await this.deps.passes.release(fence);
      log.info('Given back: the job was told to stop');
    } catch (error) {
      log.warn({ err: error }, 'The session could not be given back; its lease runs out');
    }
  }

  private observeTimes(times: PhaseTimes): void {
    for (const phase of ['classify', 'plan', 'secure', 'summarize', 'verify'] as const) {
      const ms = times[`${phase}Ms`];
      if (ms !== undefined) this.observe(phase, ms);
    }
  }

  private observe(phase: PassPhase, ms: number): void {
    this.deps.metrics.observePhase(phase, ms / 1_000);
  }
}

function throwIfAborted(signal: AbortSignal): void {
  if (!signal.aborted) return;
  const reason: unknown = signal.reason;
  throw reason instanceof Error ? reason : new Error('the job was told to stop');
}
