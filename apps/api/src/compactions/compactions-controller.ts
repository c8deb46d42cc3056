import { compactionQuerySchema, COMPACTION_PARTS, type CompactionPart } from '@holdfast/contracts';
import { Controller, Get, Headers, Param, Post, Query, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import { ContentReads } from '../audit-log/content-reads';
import type { Caller } from '../auth/caller';
import { CallerOf } from '../auth/caller-of';
import { Scopes } from '../auth/scopes';
import type { ApiRequest } from '../http/api-request';
import { Draining } from '../http/draining';
import { compactionInPath } from '../http/path-parameter';
import { preferredWaitMs } from '../http/prefer-wait';
import { readQuery } from '../http/query';
import { AuditRepository, CompactionRepository, type StoredCompaction } from '../ports/repositories';
import { ApiProblem } from '../problems/api-problem';
import { CompactionAnswers, notFinished } from './compaction-answers';
import { CompactionIntakes } from './compaction-intake';
import { compactionUrl } from './compaction-view';
import { idempotencyKeyOf } from './idempotency-key';
import { JobDispatch } from './job-dispatch';
import { waitForOutcome } from './outcome-wait';
import { RecallTools } from './recall-tool';

const JSON_TYPE = 'application/json; charset=utf-8';

@Controller('v1/compactions')
export class CompactionsController {
  constructor(
    private readonly compactions: CompactionRepository,
    private readonly intakes: CompactionIntakes,
    private readonly answers: CompactionAnswers,
    private readonly jobs: JobDispatch,
    private readonly recallTools: RecallTools,
    private readonly audit: AuditRepository,
    private readonly draining: Draining,
    private readonly reads: ContentReads,
  ) {}

  @Post()
  @Scopes('compactions:write')
  async create(
    @Headers('idempotency-key') keyHeader: string | undefined,
    @Headers('prefer') prefer: string | undefined,
    @CallerOf() caller: Caller,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    const idempotencyKey = idempotencyKeyOf(keyHeader);
    const { body, agent, model } = await this.intakes.read(request, caller);
    const { fields } = body;
    const send = this.jobs.plan(request.trace);
    const accepted = await this.compactions.accept(caller.tenantId, {
      agentId: agent.id,
      session: fields.session,
      format: body.format,
      source: body.source,
      budgetTokens: fields.budget_tokens,
      aimTokens: fields.aim_tokens,
      reclaimTargetTokens: fields.reclaim_target_tokens,
      baseVersion: fields.base_version,
      model,
      counter: this.recallTools.counterName(model),
      policyVersion: agent.policyVersion,
      mode: agent.mode,
      idempotencyKey,
      requestHash: body.requestHash,
      traceparent: send.traceparent,
      subject: fields.subject,
    });
    if (accepted.kind === 'key_reused') {
      throw new ApiProblem('IDEMPOTENCY_KEY_REUSED', undefined, {
        errors: [
          {
            code: 'IDEMPOTENCY_KEY_REUSED',
            path: '/Idempotency-Key',
            in: 'header',
            message: 'was used for another request',
          },
        ],
      });
    }
    const isNew = accepted.kind === 'accepted';
    if (isNew) this.jobs.dispatch(caller.tenantId, accepted.compaction, send);
    else response.setHeader('Idempotency-Replayed', 'true');
    const waitMs = preferredWaitMs(prefer);
    if (isNew && waitMs === 0) {
      const text = await this.answers.renderAccepted(accepted.compaction, agent.recall);
      response
        .status(202)
        .set({ 'Content-Type': JSON_TYPE, Location: compactionUrl(accepted.compaction.id) })
        .end(text);
      return;
    }
    await this.answer(response, caller, accepted.compaction, waitMs, ['window']);
  }

  @Get(':id')
  @Scopes('compactions:read')
  async get(
    @Param('id') idText: string,
    @Query() query: unknown,
    @Headers('prefer') prefer: string | undefined,
    @CallerOf() caller: Caller,
    @Res() response: Response,
  ): Promise<void> {
    const id = compactionInPath(idText);
    const { include } = readQuery(query, compactionQuerySchema);
    const parts = partsOf(include);
    const waitMs = preferredWaitMs(prefer);
    const compaction = await this.answers.load(caller, id);
    if (parts.includes('window')) await this.reads.note(caller, compaction.sessionId, 'window');
    if (waitMs > 0) {
      const signal = this.draining.signalOf(response);
      await waitForOutcome(this.compactions, caller.tenantId, compaction, waitMs, signal);
    }
    response
      .status(200)
      .set('Content-Type', JSON_TYPE)
      .end(await this.answers.render(caller, id, parts));
  }

  @Get(':id/window')
  @Scopes('compactions:read')
  async window(@Param('id') idText: string, @CallerOf() caller: Caller, @Res() response: Response): Promise<void> {
    const compaction = await this.answers.load(caller, compactionInPath(idText));
    await this.reads.note(caller, compaction.sessionId, 'window');
    const { origin, bytes } = await this.answers.loadWindow(caller, compaction);
    response.status(200).set({ 'Content-Type': 'application/json', 'Holdfast-Window': origin }).end(bytes);
  }

  @Get(':id/receipt')
  @Scopes('compactions:read')
  async receipt(@Param('id') idText: string, @CallerOf() caller: Caller, @Res() response: Response): Promise<void> {
    const { compaction, receiptJson } = await this.answers.loadResult(caller, compactionInPath(idText));
    if (receiptJson === undefined) {
      throw compaction.status === 'finished' ? new ApiProblem('RECEIPT_UNKNOWN') : notFinished();
    }
    response.status(200).set('Content-Type', 'application/json').end(receiptJson);
  }

  @Post(':id/adopt')
  @Scopes('compactions:write')
  async adopt(@Param('id') idText: string, @CallerOf() caller: Caller, @Res() response: Response): Promise<void> {
    const id = compactionInPath(idText);
    await this.answers.load(caller, id);
    const adopted = await this.compactions.adopt(caller.tenantId, id);
    switch (adopted.kind) {
      case 'unknown':
        throw new ApiProblem('COMPACTION_UNKNOWN');
      case 'nothing_to_adopt':
        throw new ApiProblem('NOTHING_TO_ADOPT');
      case 'superseded':
        throw new ApiProblem('WINDOW_SUPERSEDED');
      case 'adopted': {
        await this.audit.record(caller.tenantId, { actor: caller.keyId, action: 'compaction.adopt', subject: id });
        response
          .status(200)
          .set('Content-Type', JSON_TYPE)
          .end(await this.answers.render(caller, id, ['window']));
      }
    }
  }

  /** 200 with the outcome and its window when it is there in time, else 202. */
  private async answer(
    response: Response,
    caller: Caller,
    compaction: StoredCompaction,
    waitMs: number,
    partsWhenFinished: readonly CompactionPart[],
  ): Promise<void> {
    const signal = this.draining.signalOf(response);
    const seen =
      waitMs > 0 ? await waitForOutcome(this.compactions, caller.tenantId, compaction, waitMs, signal) : compaction;
    const isFinished = waitMs > 0 && seen.status === 'finished';
    const text = await this.answers.render(caller, compaction.id, isFinished ? partsWhenFinished : []);
    if (waitMs > 0) response.setHeader('Preference-Applied', `wait=${Math.round(waitMs / 1_000)}`);
    response
      .status(isFinished ? 200 : 202)
      .set({ 'Content-Type': JSON_TYPE, Location: compactionUrl(compaction.id) })
      .end(text);
  }
}

function partsOf(include: string | undefined): readonly CompactionPart[] {
  const named = (include ?? '').split(',');
  return COMPACTION_PARTS.filter((part) => named.includes(part));
}
