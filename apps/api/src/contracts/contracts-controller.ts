import {
  type DraftsResponse,
  importRequestSchema,
  type LintFindings,
  lintRequestSchema,
  MOST_SUGGESTION_SESSIONS,
  type PackResponse,
  type SuggestionsResponse,
  suggestRequestSchema,
} from '@holdfast/contracts';
import { CONTRACT_PACKS, draftContracts, lintContracts, member, readToolDefinitions, sourceOf } from '@holdfast/core';
import { Controller, Get, HttpCode, Param, Post, Req } from '@nestjs/common';
import { type Caller, demandAgent } from '../auth/caller';
import { CallerOf } from '../auth/caller-of';
import { Scopes } from '../auth/scopes';
import type { ApiRequest } from '../http/api-request';
import { readJsonDocument } from '../http/json-body';
import { agentInPath } from '../http/path-parameter';
import { BodyBudget } from '../http/raw-body';
import { AgentRepository, SessionRepository, type StoredSession } from '../ports/repositories';
import { ApiProblem } from '../problems/api-problem';
import { RequestThreads } from '../threads/request-threads';
import { packsView, type SuggestionTask } from './run-suggestion';

/** Windows of one suggestion together, in bytes; older sessions are left out beyond it. */
const MOST_WINDOW_BYTES = 32 * 1024 * 1024;

/** Helps to write contracts down. Nothing in here stores or declares anything. */
@Controller('v1')
export class ContractsController {
  constructor(
    private readonly agents: AgentRepository,
    private readonly sessions: SessionRepository,
    private readonly threads: RequestThreads,
    private readonly budget: BodyBudget,
  ) {}

  @Get('packs')
  @Scopes('agents:read')
  packs(): { readonly items: PackResponse[] } {
    return {
      items: CONTRACT_PACKS.map(({ name, version, title, source, contracts }) => ({
        name,
        version,
        title,
        source,
        tool_contracts: { ...contracts },
      })),
    };
  }

  @Post('contracts/import')
  @HttpCode(200)
  @Scopes('agents:read')
  async import(@Req() request: ApiRequest): Promise<DraftsResponse> {
    const { root } = await readJsonDocument(request, importRequestSchema, this.budget);
    const drafts = draftContracts(readToolDefinitions(member(root, 'tools')));
    return {
      drafts: drafts.map(({ tool, contract, evidence, cautions }) => ({
        tool,
        contract,
        evidence: [...evidence],
        cautions: [...cautions],
      })),
      packs: packsView(drafts.map(({ tool }) => tool)),
    };
  }

  @Post('contracts/lint')
  @HttpCode(200)
  @Scopes('agents:read')
  async lint(@Req() request: ApiRequest): Promise<LintFindings> {
    const { root } = await readJsonDocument(request, lintRequestSchema, this.budget);
    const contracts = member(root, 'tool_contracts');
    const findings =
      contracts === undefined ? [] : lintContracts(contracts, readToolDefinitions(member(root, 'tools')));
    return { findings: findings.map((finding) => ({ ...finding })) };
  }

  @Post('agents/:agent/contracts/suggest')
  @HttpCode(200)
  @Scopes('agents:read', 'sessions:read')
  async suggest(
    @Param('agent') name: string,
    @CallerOf() caller: Caller,
    @Req() request: ApiRequest,
  ): Promise<SuggestionsResponse> {
    const agentId = agentInPath(name);
    demandAgent(caller, agentId);
    const { root, text, data } = await readJsonDocument(request, suggestRequestSchema, this.budget);
    const agent = await this.agents.findAgent(caller.tenantId, agentId);
    if (agent === undefined) throw new ApiProblem('AGENT_UNKNOWN');
    const sessions = await this.sessionsOf(caller.tenantId, agentId, data.sessions);
    const seen = await this.newestWindows(caller.tenantId, sessions);
    const tools = member(root, 'tools');
    const { proposals, packs } = await this.threads.suggest({
      windows: seen.map(({ window }) => window),
      tools: tools === undefined ? undefined : sourceOf(text, tools),
    });
    return {
      agent: agentId,
      sessions: seen.map(({ session }) => session),
      proposals: proposals.map((proposal) => ({
        ...proposal,
        declared: Object.hasOwn(agent.toolContracts, proposal.tool),
      })),
      packs,
    };
  }

  private async sessionsOf(
    tenantId: string,
    agentId: string,
    names: readonly string[] | undefined,
  ): Promise<readonly StoredSession[]> {
    if (names === undefined) {
      const page = { limit: MOST_SUGGESTION_SESSIONS, after: undefined };
      return (await this.sessions.listSessions(tenantId, { agentIds: [agentId] }, page)).items;
    }
    const found: StoredSession[] = [];
    for (const name of new Set(names)) {
      const session = await this.sessions.find(tenantId, agentId, name);
      if (session === undefined) throw new ApiProblem('SESSION_UNKNOWN');
      found.push(session);
    }
    return found;
  }

  /** The newest window that each session's agent sent, as far as they fit. */
  private async newestWindows(
    tenantId: string,
    sessions: readonly StoredSession[],
  ): Promise<readonly { readonly session: string; readonly window: SuggestionTask['windows'][number] }[]> {
    const found: { session: string; window: SuggestionTask['windows'][number] }[] = [];
    let bytes = 0;
    for (const { id, session } of sessions) {
      const { items } = await this.sessions.listWindows(tenantId, id, { limit: 10, after: undefined });
      const newest = items.find(({ kind }) => kind === 'accepted');
      if (newest === undefined || bytes + newest.bytes > MOST_WINDOW_BYTES) continue;
      const source = await this.sessions.findWindowSource(tenantId, id, newest.id);
      if (source === undefined) continue;
      bytes += newest.bytes;
      found.push({ session, window: { format: newest.format, source } });
    }
    return found;
  }
}
