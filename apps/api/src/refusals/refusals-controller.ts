import {
  acknowledgeRequestSchema,
  assignRequestSchema,
  commentRequestSchema,
  dismissRequestSchema,
  MAX_PAGE_LIMIT,
  pageQuerySchema,
  type PreviewResponse,
  type RefusalDetailResponse,
  type RefusalGroupResponse,
  type RefusalListResponse,
  type RefusalMemberResponse,
  refusalQuerySchema,
  type RefusalStepResponse,
  type ResolvingResponse,
} from '@holdfast/contracts';
import { Controller, Get, HttpCode, Param, Post, Query, Req } from '@nestjs/common';
import { type Caller, demandAgent, mayActFor } from '../auth/caller';
import { CallerOf } from '../auth/caller-of';
import { Scopes } from '../auth/scopes';
import { JobDispatch } from '../compactions/job-dispatch';
import type { ApiRequest } from '../http/api-request';
import { readJsonBody } from '../http/json-body';
import { pageRequest, pageView } from '../http/page';
import { refusalInPath } from '../http/path-parameter';
import { readQuery } from '../http/query';
import { BodyBudget } from '../http/raw-body';
import { type RefusalGroupDetail, RefusalRepository, type TriageAct } from '../ports/repositories';
import { ApiProblem } from '../problems/api-problem';
import { ResolutionPreviews } from './resolution-previews';
import { changeProblem, readResolution } from './resolution-request';
import { refusalGroupView, refusalMemberView, refusalStepView } from './refusal-group-view';

interface PageOf<Item> {
  readonly items: Item[];
  readonly next: string | null;
}

/** Retried passes whose jobs the API itself sends. */
const SENT_AT_ONCE = 50;
/** Refused passes that the answer about one refusal begins with. */
const FIRST_MEMBERS = 20;

@Controller('v1/refusals')
export class RefusalsController {
  constructor(
    private readonly refusals: RefusalRepository,
    private readonly budget: BodyBudget,
    private readonly previews: ResolutionPreviews,
    private readonly jobs: JobDispatch,
  ) {}

  @Get()
  @Scopes('refusals:read')
  async list(@Query() query: unknown, @CallerOf() caller: Caller): Promise<RefusalListResponse> {
    const { agent, limit, cursor, ...equal } = readQuery(query, refusalQuerySchema);
    if (agent !== undefined) demandAgent(caller, agent);
    const filter = { ...equal, agentIds: agent === undefined ? agentsOf(caller) : [agent] };
    const paging = pageRequest({ limit, ...(cursor === undefined ? {} : { cursor }) }, 'time');
    const [page, facets] = await Promise.all([
      this.refusals.list(caller.tenantId, filter, paging),
      this.refusals.countFacets(caller.tenantId, filter),
    ]);
    const counted = Object.entries(facets).map(([facet, values]) => [facet, values.map((value) => ({ ...value }))]);
    return {
      ...pageView(page, refusalGroupView),
      facets: Object.fromEntries(counted) as RefusalListResponse['facets'],
    };
  }

  @Get(':id')
  @Scopes('refusals:read')
  async get(@Param('id') id: string, @CallerOf() caller: Caller): Promise<RefusalDetailResponse> {
    const { group, newest } = await this.load(caller, id);
    const [members, steps] = await Promise.all([
      this.refusals.listMembers(caller.tenantId, group.id, { limit: FIRST_MEMBERS, after: undefined }),
      this.refusals.listSteps(caller.tenantId, group.id, { limit: MAX_PAGE_LIMIT, after: undefined }),
    ]);
    return {
      ...refusalGroupView(group),
      newest: newest === undefined ? null : refusalMemberView(newest),
      members: pageView(members, refusalMemberView),
      steps: pageView(steps, refusalStepView),
    };
  }

  @Get(':id/members')
  @Scopes('refusals:read')
  async members(
    @Param('id') id: string,
    @Query() query: unknown,
    @CallerOf() caller: Caller,
  ): Promise<PageOf<RefusalMemberResponse>> {
    const page = pageRequest(readQuery(query, pageQuerySchema), 'id');
    const { group } = await this.load(caller, id);
    return pageView(await this.refusals.listMembers(caller.tenantId, group.id, page), refusalMemberView);
  }

  @Get(':id/steps')
  @Scopes('refusals:read')
  async steps(
    @Param('id') id: string,
    @Query() query: unknown,
    @CallerOf() caller: Caller,
  ): Promise<PageOf<RefusalStepResponse>> {
    const page = pageRequest(readQuery(query, pageQuerySchema), 'number');
    const { group } = await this.load(caller, id);
    return pageView(await this.refusals.listSteps(caller.tenantId, group.id, page), refusalStepView);
  }

  @Post(':id/acknowledge')
  @HttpCode(200)
  @Scopes('refusals:resolve')
  async acknowledge(
    @Param('id') id: string,
    @CallerOf() caller: Caller,
    @Req() request: ApiRequest,
  ): Promise<RefusalGroupResponse> {
    const { comment } = await readJsonBody(request, acknowledgeRequestSchema, this.budget);
    return this.triage(caller, id, { kind: 'acknowledged', comment });
  }

  @Post(':id/assign')
  @HttpCode(200)
  @Scopes('refusals:resolve')
  async assign(
    @Param('id') id: string,
    @CallerOf() caller: Caller,
    @Req() request: ApiRequest,
  ): Promise<RefusalGroupResponse> {
    const { assignee } = await readJsonBody(request, assignRequestSchema, this.budget);
    return this.triage(caller, id, { kind: 'assigned', assignee: assignee ?? undefined });
  }

  @Post(':id/comment')
  @HttpCode(200)
  @Scopes('refusals:resolve')
  async comment(
    @Param('id') id: string,
    @CallerOf() caller: Caller,
    @Req() request: ApiRequest,
  ): Promise<RefusalGroupResponse> {
    const { comment } = await readJsonBody(request, commentRequestSchema, this.budget);
    return this.triage(caller, id, { kind: 'commented', comment });
  }

  @Post(':id/dismiss')
  @HttpCode(200)
  @Scopes('refusals:resolve')
  async dismiss(
    @Param('id') id: string,
    @CallerOf() caller: Caller,
    @Req() request: ApiRequest,
  ): Promise<RefusalGroupResponse> {
    const { reason } = await readJsonBody(request, dismissRequestSchema, this.budget);
    return this.triage(caller, id, { kind: 'dismissed', reason });
  }

  @Post(':id/preview')
  @HttpCode(200)
  @Scopes('refusals:resolve')
  async preview(
    @Param('id') id: string,
    @CallerOf() caller: Caller,
    @Req() request: ApiRequest,
  ): Promise<PreviewResponse> {
    const resolution = await readResolution(request, this.budget);
    const detail = await this.load(caller, id);
    if (detail.group.resolvedAt !== undefined) throw new ApiProblem('REFUSAL_CLOSED');
    return this.previews.preview(caller, detail, resolution);
  }

  @Post(':id/resolve')
  @HttpCode(202)
  @Scopes('refusals:resolve')
  async resolve(
    @Param('id') id: string,
    @CallerOf() caller: Caller,
    @Req() request: ApiRequest,
  ): Promise<ResolvingResponse> {
    const resolution = await readResolution(request, this.budget);
    const by = { tenantId: caller.tenantId, actor: caller.keyId, agentIds: agentsOf(caller) };
    const answer = await this.refusals.resolve(by, refusalInPath(id), resolution);
    if (answer.kind !== 'resolving') throw changeProblem(answer.kind);
    const retried = answer.dispatches.map(({ compactionId }) => compactionId);
    // The relay sends all of them; the first ones need not wait for it.
    for (const id of retried.slice(0, SENT_AT_ONCE)) this.jobs.dispatch(caller.tenantId, { id, dispatchNo: 1 });
    return { refusal: refusalGroupView(answer.group), retried, remaining: answer.remaining };
  }

  private async load(caller: Caller, id: string): Promise<RefusalGroupDetail> {
    const found = await this.refusals.find(caller.tenantId, refusalInPath(id));
    if (found === undefined || !mayActFor(caller, found.group.agentId)) throw new ApiProblem('REFUSAL_UNKNOWN');
    return found;
  }

  private async triage(caller: Caller, id: string, act: TriageAct): Promise<RefusalGroupResponse> {
    const by = { tenantId: caller.tenantId, actor: caller.keyId, agentIds: agentsOf(caller) };
    const answer = await this.refusals.triage(by, refusalInPath(id), act);
    switch (answer.kind) {
      case 'done':
        return refusalGroupView(answer.group);
      case 'closed':
        throw new ApiProblem('REFUSAL_CLOSED');
      case 'unknown':
        throw new ApiProblem('REFUSAL_UNKNOWN');
    }
  }
}

/** Undefined for all agents. */
function agentsOf({ agentAllowList }: Caller): readonly string[] | undefined {
  return agentAllowList.length === 0 ? undefined : agentAllowList;
}
