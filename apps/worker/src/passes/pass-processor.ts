import { type Logger, type PassPhase, readTraceparent, withIds } from '@holdfast/observability';
import type { ClaimedPass, Dispatch, Fence, PassEnd } from '@holdfast/persistence';
import { queueOf, type ReceivedJob } from '@holdfast/queue';
import type { PassStep } from '../threads/pass-step';
import { nowMs } from '../threads/phase-watch';
import { type LeaseHeartbeat, startHeartbeat } from './lease-heartbeat';
import { countOutcome } from './pass-counts';
import type { PassDependencies } from './pass-dependencies';
import { answerTo } from './pass-error';
import { portsOf, throwIfAborted } from './pass-ports';
import { requestOf, unreadable } from './pass-request';
import { PassTrace } from './pass-trace';

/**
 * Runs the pass that a job names, as far as its phase says: `accepted` is secured, `secured` is summarized and finished.
 * Whatever comes of it, the job is done: retries belong to the pass row and the reconciler.
 */
export class PassProcessor {
  constructor(private readonly deps: PassDependencies) {}

  async process(job: ReceivedJob): Promise<void> {
    const { passes, settings, log } = this.deps;
    const jobLog = withIds(log, { compaction_id: job.payload.id, job_id: job.jobId });
    const startedAtMs = nowMs();
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
        await this.claimed(claim, job, startedAtMs, jobLog);
        return;
      default:
        jobLog.debug({ claim: claim.kind }, 'Nothing to do for this job');
    }
  }

  private async claimed(claim: ClaimedPass, job: ReceivedJob, startedAtMs: number, jobLog: Logger): Promise<void> {
    const { tracing, failpoints } = this.deps;
    const queue = queueOf(claim.phase === 'accepted' ? 'compaction.secure' : 'compaction.summarize');
    const trace = new PassTrace(tracing, claim, { jobId: job.jobId, queue, startedAtMs });
    const { tenantId, sessionId } = claim.fence;
    // The trace of whoever handed the window in: the lines of the API about it have the same.
    const traceId = readTraceparent(claim.traceparent)?.traceId ?? trace.traceId;
    const ids = { tenant_id: tenantId, session_id: sessionId, ...(traceId === undefined ? {} : { trace_id: traceId }) };
    this.observe('claim', startedAtMs, nowMs(), trace);
    failpoints.pass('claimed');
    await this.run(claim, job.signal, trace, withIds(jobLog, ids));
  }

  private async run(claim: ClaimedPass, jobSignal: AbortSignal, trace: PassTrace, log: Logger): Promise<void> {
    const { passes, settings } = this.deps;
    let how: { readonly outcome?: string; readonly failedWith?: string } = {};
    const heartbeat = startHeartbeat(
      () => passes.heartbeat(claim.fence, settings.leaseMs),
      settings.leaseMs,
      (error) => log.warn({ err: error }, 'A heartbeat failed'),
    );
    try {
      const signal = AbortSignal.any([jobSignal, heartbeat.signal]);
      how = { outcome: await this.step(claim, signal, heartbeat, trace, log) };
    } catch (error) {
      await heartbeat.stop();
      how = { failedWith: jobSignal.aborted ? 'STOPPED' : codeOf(error) };
      if (jobSignal.aborted) await this.giveBack(claim.fence, log);
      else await this.answerError(claim, error, log);
    } finally {
      await heartbeat.stop();
      trace.end(how);
    }
  }

  /** Answers what the step came to. */
  private async step(
    claim: ClaimedPass,
    signal: AbortSignal,
    heartbeat: LeaseHeartbeat,
    trace: PassTrace,
    log: Logger,
  ): Promise<string> {
    const { runner, passes } = this.deps;
    const startedAt = performance.now();
    if (claim.baseVersion !== undefined && claim.baseVersion !== claim.version) {
      const stale = { kind: 'superseded', reason: 'base_version_stale' } as const;
      return this.end(claim.fence, stale, claim, log, { startedAt, trace });
    }
    const step: PassStep = claim.phase === 'accepted' ? 'secure' : 'summarize';
    const source = await passes.loadSource(claim.fence, claim.inputWindowId).catch((error: unknown) => {
      throw error instanceof TypeError ? unreadable(error) : error;
    });
    const dispatches: Dispatch[] = [];
    const ports = portsOf(this.deps, { claim, step, signal, trace, log, onDispatch: (due) => dispatches.push(due) });
    const answer = await runner.run(step, requestOf(claim, source), ports);
    for (const { phase, startedAtMs, endedAtMs } of answer.phases) this.observe(phase, startedAtMs, endedAtMs, trace);
    if (answer.kind === 'secured') {
      await heartbeat.stop();
      this.deps.failpoints.pass('secured');
      for (const dispatch of dispatches) this.deps.dispatch(dispatch);
      log.info({ step, times: answer.times }, 'Secured');
      return 'secured';
    }
    throwIfAborted(signal);
    const end: PassEnd = { kind: 'outcome', outcome: answer.outcome, times: answer.times };
    return this.end(claim.fence, end, claim, log, { startedAt, heartbeat, trace });
  }

  private async end(
    fence: Fence,
    end: PassEnd,
    pass: Pick<ClaimedPass, 'agentId'> & Partial<Pick<ClaimedPass, 'version' | 'ageMs'>>,
    log: Logger,
    { startedAt = performance.now(), heartbeat, trace }: Ending = {},
  ): Promise<string> {
    const { passes, failpoints, metrics } = this.deps;
    const commitStartedAtMs = nowMs();
    await heartbeat?.stop();
    const finished = await passes.finish(fence, end, {
      ...{ agentId: pass.agentId, version: pass.version ?? -1n },
      beforeCommit: () => failpoints.pass('finished_before_commit'),
    });
    failpoints.pass('finished');
    if (finished.successor !== undefined) this.deps.dispatch(finished.successor);
    this.observe('commit', commitStartedAtMs, nowMs(), trace);
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
    return finished.outcome;
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

  private observe(phase: PassPhase, startedAtMs: number, endedAtMs: number, trace: PassTrace | undefined): void {
    this.deps.metrics.observePhase(phase, (endedAtMs - startedAtMs) / 1_000);
    trace?.phase(phase, startedAtMs, endedAtMs);
  }
}

/** What an end needs besides its outcome, where the pass got so far. */
interface Ending {
  readonly startedAt?: number;
  readonly heartbeat?: LeaseHeartbeat;
  readonly trace?: PassTrace;
}

function codeOf(error: unknown): string {
  const answer = answerTo(error);
  return answer.kind === 'give_way' ? 'FENCED' : answer.code;
}
