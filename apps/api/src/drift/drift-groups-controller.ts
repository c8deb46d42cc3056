import {
  archiveDriftGroupRequestSchema,
  assignRequestSchema,
  commentDriftGroupRequestSchema,
  type DriftDownstreamResponse,
  type DriftGroupDetailResponse,
  type DriftGroupListResponse,
  driftGroupQuerySchema,
  type DriftGroupResponse,
  type DriftIncidentResponse,
  pageQuerySchema,
  resolveDriftGroupRequestSchema,
} from '@holdfast/contracts';
import { corruptedValues, valuesIn } from '@holdfast/core';
import { Controller, Get, HttpCode, Param, Post, Query, Req } from '@nestjs/common';
import { type Caller, demandAgent, mayActFor } from '../auth/caller';
import { CallerOf } from '../auth/caller-of';
import { Scopes } from '../auth/scopes';
import type { ApiRequest } from '../http/api-request';
import { readJsonBody } from '../http/json-body';
import { pageRequest, pageView } from '../http/page';
import { driftGroupInPath } from '../http/path-parameter';
import { readQuery } from '../http/query';
import { BodyBudget } from '../http/raw-body';
import { incidentView } from '../incidents/incident-view';
import { type DriftGroupChange, type DriftGroupHistory, DriftGroupRepository } from '../ports/repositories';
import { ApiProblem } from '../problems/api-problem';
import { RequestThreads } from '../threads/request-threads';
import { driftGroupDetailView, driftGroupView } from './drift-group-view';

/** Occurrences that the answer about one group begins with. */
const FIRST_OCCURRENCES = 20;

@Controller('v1/drift-groups')
export class DriftGroupsController {
  constructor(
    private readonly groups: DriftGroupRepository,
    private readonly threads: RequestThreads,
    private readonly budget: BodyBudget,
  ) {}

  @Get()
  @Scopes('drift:read')
  async list(@Query() query: unknown, @CallerOf() caller: Caller): Promise<DriftGroupListResponse> {
    const { agent, limit, cursor, unassigned, assignee, ...equal } = readQuery(query, driftGroupQuerySchema);
    if (agent !== undefined) demandAgent(caller, agent);
    const allowed = caller.agentAllowList.length === 0 ? undefined : caller.agentAllowList;
    const filter = {
      ...{ state: equal.state, kind: equal.kind, severity: equal.severity },
      agentIds: agent === undefined ? allowed : [agent],
      assignee: unassigned === undefined ? assignee : '',
    };
    const paging = pageRequest({ limit, ...(cursor === undefined ? {} : { cursor }) }, 'time');
    const page = await this.groups.list(caller.tenantId, filter, paging);
    const { state, agent: agents, kind, severity, assignee: by } = await this.groups.facets(caller.tenantId, filter);
    return {
      ...pageView(page, driftGroupView),
      facets: { state: [...state], agent: [...agents], kind: [...kind], severity: [...severity], assignee: [...by] },
    };
  }

  @Get(':id')
  @Scopes('drift:read')
  async get(@Param('id') id: string, @CallerOf() caller: Caller): Promise<DriftGroupDetailResponse> {
    const found = await this.load(caller, id);
    const first = { limit: FIRST_OCCURRENCES, after: undefined };
    const occurrences = await this.groups.listOccurrences(caller.tenantId, found.group.id, first);
    const seen = await this.groups.listSessions(caller.tenantId, found.group.id);
    return { ...driftGroupDetailView(found, seen), occurrences: pageView(occurrences, incidentView) };
  }

  @Get(':id/occurrences')
  @Scopes('drift:read')
  async occurrences(
    @Param('id') id: string,
    @Query() query: unknown,
    @CallerOf() caller: Caller,
  ): Promise<{ readonly items: DriftIncidentResponse[]; readonly next: string | null }> {
    const page = pageRequest(readQuery(query, pageQuerySchema), 'id');
    const { group } = await this.load(caller, id);
    return pageView(await this.groups.listOccurrences(caller.tenantId, group.id, page), incidentView);
  }

  @Get(':id/downstream')
  @Scopes('drift:read')
  async downstream(@Param('id') id: string, @CallerOf() caller: Caller): Promise<DriftDownstreamResponse> {
    const { newest } = await this.load(caller, id);
    const values = newest === undefined ? [] : corruptedValues(newest.expected, newest.observed);
    const nothing = { values: [...values], effects: [], calls: [], windows: { searched: 0, left_out: 0 } };
    if (newest === undefined || values.length === 0) return { incident_id: newest?.id ?? null, ...nothing };
    const { effects, own, later, leftOut } = await this.groups.findAftermath(caller.tenantId, newest);
    const { calls } = await this.threads.downstream({ values, own, later });
    return {
      incident_id: newest.id,
      values: [...values],
      effects: effects.flatMap(({ id: effectId, ref, action, status, target, idempotencyKey, keptValues }) =>
        (
          [
            ['target', target],
            ['idempotency_key', idempotencyKey],
            ['kept_values', keptValues],
          ] as const
        ).flatMap(([place, text]) =>
          valuesIn(text, values).map((value) => ({ effect: ref, id: effectId, action, status, in: place, value })),
        ),
      ),
      calls,
      windows: { searched: later.length, left_out: leftOut },
    };
  }

  @Post(':id/resolve')
  @HttpCode(200)
  @Scopes('drift:triage')
  async resolve(
    @Param('id') id: string,
    @CallerOf() caller: Caller,
    @Req() request: ApiRequest,
  ): Promise<DriftGroupResponse> {
    const { comment } = await readJsonBody(request, resolveDriftGroupRequestSchema, this.budget);
    return this.change(caller, id, { kind: 'resolved', comment });
  }

  @Post(':id/archive')
  @HttpCode(200)
  @Scopes('drift:triage')
  async archive(
    @Param('id') id: string,
    @CallerOf() caller: Caller,
    @Req() request: ApiRequest,
  ): Promise<DriftGroupResponse> {
    const { until, comment } = await readJsonBody(request, archiveDriftGroupRequestSchema, this.budget);
    const condition = until.kind === 'time' ? { kind: until.kind, at: new Date(until.at) } : until;
    return this.change(caller, id, { kind: 'archived', until: condition, comment });
  }

  @Post(':id/reopen')
  @HttpCode(200)
  @Scopes('drift:triage')
  async reopen(
    @Param('id') id: string,
    @CallerOf() caller: Caller,
    @Req() request: ApiRequest,
  ): Promise<DriftGroupResponse> {
    const { comment } = await readJsonBody(request, resolveDriftGroupRequestSchema, this.budget);
    return this.change(caller, id, { kind: 'reopened', comment });
  }

  @Post(':id/assign')
  @HttpCode(200)
  @Scopes('drift:triage')
  async assign(
    @Param('id') id: string,
    @CallerOf() caller: Caller,
    @Req() request: ApiRequest,
  ): Promise<DriftGroupResponse> {
    const { assignee } = await readJsonBody(request, assignRequestSchema, this.budget);
    return this.change(caller, id, { kind: 'assigned', assignee });
  }

  @Post(':id/comment')
  @HttpCode(200)
  @Scopes('drift:triage')
  async comment(
    @Param('id') id: string,
    @CallerOf() caller: Caller,
    @Req() request: ApiRequest,
  ): Promise<DriftGroupResponse> {
    const { comment } = await readJsonBody(request, commentDriftGroupRequestSchema, this.budget);
    return this.change(caller, id, { kind: 'commented', comment });
  }

  private async load(caller: Caller, id: string): Promise<DriftGroupHistory> {
    const found = await this.groups.find(caller.tenantId, driftGroupInPath(id));
    if (found === undefined || !mayActFor(caller, found.group.agentId)) throw new ApiProblem('DRIFT_GROUP_UNKNOWN');
    return found;
  }

  private async change(caller: Caller, id: string, change: DriftGroupChange): Promise<DriftGroupResponse> {
    const { group } = await this.load(caller, id);
    const changed = await this.groups.change(caller.tenantId, group.id, caller.keyId, change);
    if (changed === undefined) throw new ApiProblem('DRIFT_GROUP_UNKNOWN');
    return driftGroupView(changed);
  }
}
