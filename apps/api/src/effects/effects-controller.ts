import {
  claimEffectRequestSchema,
  type EffectAttemptResponse,
  ledgerEffectQuerySchema,
  type LedgerEffectResponse,
  MAX_RESULT_BYTES,
  pageQuerySchema,
  reconcileEffectRequestSchema,
  type SettledEffectResponse,
  settleEffectRequestSchema,
} from '@holdfast/contracts';
import { type JsonNode, member, parseJson, sourceOf } from '@holdfast/core';
import { Controller, Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import { type Caller, demandAgent, mayActFor } from '../auth/caller';
import { CallerOf } from '../auth/caller-of';
import { Scopes } from '../auth/scopes';
import type { ApiRequest } from '../http/api-request';
import { readJsonDocument } from '../http/json-body';
import { pageRequest, pageView } from '../http/page';
import { effectInPath } from '../http/path-parameter';
import { readQuery } from '../http/query';
import { BodyBudget } from '../http/raw-body';
import { splicedJson } from '../http/spliced-json';
import { AuditRepository, EffectRepository, type LedgerEffect, type SettleInput } from '../ports/repositories';
import { MetricsSource } from '../operation/metrics-source';
import { ApiProblem, requestProblem } from '../problems/api-problem';
import { effectAttemptView, ledgerEffectView } from './effect-view';

/** The effect gate: asks before a write is fired, and hears how it ended. */
@Controller('v1/effects')
export class EffectsController {
  constructor(
    private readonly effects: EffectRepository,
    private readonly audit: AuditRepository,
    private readonly budget: BodyBudget,
    private readonly metrics: MetricsSource,
  ) {}

  @Post('claim')
  @HttpCode(200)
  @Scopes('effects:write')
  async claim(@CallerOf() caller: Caller, @Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    const { root, text, data } = await readJsonDocument(request, claimEffectRequestSchema, this.budget);
    demandAgent(caller, data.agent);
    const args = member(root, 'arguments');
    if (args === undefined) throw missing('/arguments');
    const claimed = await this.effects.claim(caller.tenantId, {
      agentId: data.agent,
      session: data.session,
      call: { tool: data.tool, ...argumentsOf(text, args), idempotencyKey: data.idempotency_key, target: data.target },
      attemptId: data.attempt_id,
      leaseMs: data.lease_seconds * 1_000,
      repeatLabel: data.repeat_label ?? '',
    });
    if (claimed === undefined) throw new ApiProblem('AGENT_UNKNOWN');
    if (claimed.kind === 'attempt_reused') throw new ApiProblem('ATTEMPT_REUSED', claimed.reason);
    if (claimed.gated) this.metrics.countEffectAnswer(claimed.answer);
    const { answer, reason, gated, leaseUntil, effect, result } = claimed;
    const view = {
      ...{ answer, reason, gated, lease_until: leaseUntil?.toISOString() ?? null },
      effect: effect === undefined ? null : ledgerEffectView(effect),
    };
    const json = splicedJson(view, result === undefined ? [] : [{ name: 'result', json: result }]);
    response.set('Content-Type', 'application/json').end(json);
  }

  @Post(':id/settle')
  @HttpCode(200)
  @Scopes('effects:write')
  async settle(
    @Param('id') idText: string,
    @CallerOf() caller: Caller,
    @Req() request: ApiRequest,
  ): Promise<SettledEffectResponse> {
    const effectId = effectInPath(idText);
    const { root, text, data } = await readJsonDocument(request, settleEffectRequestSchema, this.budget);
    return this.close(caller, {
      ...{ effectId, attemptId: data.attempt_id, status: data.status, statusRaw: data.status_raw },
      ...{ evidence: data.evidence, result: resultOf(text, root), agentIds: caller.agentAllowList },
    });
  }

  @Post(':id/reconcile')
  @HttpCode(200)
  @Scopes('effects:write')
  async reconcile(
    @Param('id') idText: string,
    @CallerOf() caller: Caller,
    @Req() request: ApiRequest,
  ): Promise<SettledEffectResponse> {
    const effectId = effectInPath(idText);
    const { root, text, data } = await readJsonDocument(request, reconcileEffectRequestSchema, this.budget);
    const settled = await this.close(caller, {
      ...{ effectId, attemptId: undefined, status: data.status, statusRaw: data.status_raw },
      ...{ evidence: data.evidence, result: resultOf(text, root), agentIds: caller.agentAllowList },
    });
    await this.audit.record(caller.tenantId, {
      ...{ actor: caller.keyId, action: 'effect.reconcile', subject: effectId, detail: { status: data.status } },
    });
    return settled;
  }

  @Get()
  @Scopes('effects:read')
  async list(
    @Query() query: unknown,
    @CallerOf() caller: Caller,
  ): Promise<{ readonly items: LedgerEffectResponse[]; readonly next: string | null }> {
    const { agent, session, status, tool, key, ...paging } = readQuery(query, ledgerEffectQuerySchema);
    if (agent !== undefined) demandAgent(caller, agent);
    const allowed = caller.agentAllowList.length === 0 ? undefined : caller.agentAllowList;
    const filter = { agentIds: agent === undefined ? allowed : [agent], session, status, action: tool, key };
    return pageView(await this.effects.list(caller.tenantId, filter, pageRequest(paging, 'id')), ledgerEffectView);
  }

  @Get(':id')
  @Scopes('effects:read')
  async get(@Param('id') idText: string, @CallerOf() caller: Caller): Promise<LedgerEffectResponse> {
    return ledgerEffectView(await this.load(caller, idText));
  }

  @Get(':id/attempts')
  @Scopes('effects:read')
  async attempts(
    @Param('id') idText: string,
    @Query() query: unknown,
    @CallerOf() caller: Caller,
  ): Promise<{ readonly items: EffectAttemptResponse[]; readonly next: string | null }> {
    const page = pageRequest(readQuery(query, pageQuerySchema), 'id');
    const { id } = await this.load(caller, idText);
    return pageView(await this.effects.listAttempts(caller.tenantId, id, page), effectAttemptView);
  }

  @Get(':id/result')
  @Scopes('effects:read')
  async result(@Param('id') idText: string, @CallerOf() caller: Caller, @Res() response: Response): Promise<void> {
    const { id } = await this.load(caller, idText);
    const bytes = await this.effects.findResult(caller.tenantId, id);
    if (bytes === undefined) throw new ApiProblem('RESULT_UNKNOWN');
    response.status(200).set('Content-Type', 'application/json').end(bytes);
  }

  private async load(caller: Caller, idText: string): Promise<LedgerEffect> {
    const effect = await this.effects.find(caller.tenantId, effectInPath(idText));
    if (effect === undefined || !mayActFor(caller, effect.agentId)) throw new ApiProblem('EFFECT_ID_UNKNOWN');
    return effect;
  }

  private async close(caller: Caller, input: SettleInput): Promise<SettledEffectResponse> {
    const settled = await this.effects.settle(caller.tenantId, input);
    switch (settled.kind) {
      case 'settled':
        if (settled.applied) this.metrics.countEffectEnd(input.status);
        // The ledger says otherwise: an incident, recorded with it.
        else if (input.status !== 'fired') this.metrics.countDriftIncidents('effect_status_changed');
        return { effect: ledgerEffectView(settled.effect), late: settled.late, applied: settled.applied };
      case 'unknown':
        throw new ApiProblem('EFFECT_ID_UNKNOWN');
      case 'attempt_unknown':
        throw new ApiProblem('ATTEMPT_UNKNOWN');
      case 'in_flight': {
        const seconds = Math.max(1, Math.ceil((settled.leaseUntil.getTime() - Date.now()) / 1_000));
        throw new ApiProblem('EFFECT_IN_FLIGHT', `An attempt holds it until ${settled.leaseUntil.toISOString()}`, {
          headers: { 'Retry-After': String(seconds) },
        });
      }
      case 'closed':
        throw new ApiProblem('EFFECT_CLOSED', `It stands as ${settled.effect.status}`);
    }
  }
}

/** Providers send arguments as JSON, or as JSON in a string; either is the same call. */
function argumentsOf(
  text: string,
  node: JsonNode,
): { readonly argumentsText: string; readonly args: JsonNode | undefined } {
  if (node.kind !== 'string') return { argumentsText: sourceOf(text, node), args: node };
  try {
    return { argumentsText: node.value, args: parseJson(node.value) };
  } catch {
    return { argumentsText: node.value, args: undefined };
  }
}

function resultOf(text: string, root: JsonNode): string | undefined {
  const node = member(root, 'result');
  if (node === undefined) return undefined;
  const source = sourceOf(text, node);
  const bytes = Buffer.byteLength(source, 'utf8');
  if (bytes > MAX_RESULT_BYTES) {
    const message = `has ${String(bytes)} bytes, at most ${String(MAX_RESULT_BYTES)} are kept`;
    throw requestProblem([{ code: 'FIELD_OUT_OF_RANGE', path: '/result', in: 'body', message }]);
  }
  return source;
}

function missing(path: string): ApiProblem {
  return requestProblem([{ code: 'FIELD_MISSING', path, in: 'body', message: 'is missing' }]);
}
