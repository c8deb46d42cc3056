import { auditQuerySchema, MAX_AUDIT_BYTES } from '@holdfast/contracts';
import type { AuditFinding, AuditReport, ToolContracts, WindowIncident } from '@holdfast/core';
import { Controller, HttpCode, Post, Query, Req } from '@nestjs/common';
import { ApiSettings } from '../api-settings';
import { type Caller, demandAgent } from '../auth/caller';
import { CallerOf } from '../auth/caller-of';
import { Scopes } from '../auth/scopes';
import type { ApiRequest } from '../http/api-request';
import { readQuery } from '../http/query';
import { BodyBudget, readRawBody } from '../http/raw-body';
import { AgentRepository, IncidentRepository } from '../ports/repositories';
import { ApiProblem, requestProblem } from '../problems/api-problem';
import { RequestThreads } from '../threads/request-threads';

/** Findings of one audit that are recorded, worst first. */
const MOST_RECORDED = 1_000;

/** Audits somebody's compaction while the caller waits; stores nothing of it but findings, where that is asked for. */
@Controller('v1/audits')
export class AuditsController {
  constructor(
    private readonly agents: AgentRepository,
    private readonly incidents: IncidentRepository,
    private readonly threads: RequestThreads,
    private readonly settings: ApiSettings,
    private readonly budget: BodyBudget,
  ) {}

  @Post()
  @HttpCode(200)
  @Scopes('compactions:read')
  async create(
    @Query() query: unknown,
    @CallerOf() caller: Caller,
    @Req() request: ApiRequest,
  ): Promise<AuditReport & { readonly recorded?: number }> {
    const { agent, session, record } = readQuery(query, auditQuerySchema);
    const recording = record === undefined ? undefined : recordedAs(caller, agent, session);
    const contracts = agent === undefined ? {} : await this.contractsOf(caller, agent);
    const { maxBodyBytes, maxDepth, maxElements } = this.settings;
    const bytes = await readRawBody(request, Math.min(maxBodyBytes, MAX_AUDIT_BYTES), this.budget);
    const outcome = await this.threads.audit({ bytes, limits: { maxDepth, maxElements }, contracts });
    if (outcome.kind === 'problems') throw requestProblem(outcome.errors);
    const { report } = outcome;
    if (recording === undefined) return report;
    const found = report.boundaries.flatMap(({ findings }) => findings.map(incidentOf)).slice(0, MOST_RECORDED);
    await this.incidents.record(caller.tenantId, recording, found);
    return { ...report, recorded: found.length };
  }

  private async contractsOf(caller: Caller, agent: string): Promise<ToolContracts> {
    demandAgent(caller, agent);
    const found = await this.agents.findAgent(caller.tenantId, agent);
    if (found !== undefined) return found.toolContracts;
    throw new ApiProblem('AGENT_UNKNOWN', undefined, {
      errors: [{ code: 'AGENT_UNKNOWN', path: '/agent', in: 'query', message: 'is no agent; create it first' }],
    });
  }
}

/** What findings are recorded as belonging to. */
function recordedAs(caller: Caller, agent: string | undefined, session: string | undefined) {
  if (!caller.scopes.has('drift:triage')) {
    throw new ApiProblem('SCOPE_MISSING', 'The API key lacks drift:triage, which recording findings needs');
  }
  const missing = agent === undefined ? '/agent' : '/session';
  if (agent !== undefined && session !== undefined) return { agentId: agent, session };
  throw requestProblem([
    { code: 'FIELD_MISSING', path: missing, in: 'query', message: 'is missing, and findings are recorded with it' },
  ]);
}

function incidentOf({ kind, severity, expected, observed, source, place, message }: AuditFinding): WindowIncident {
  const subject = source?.element_id ?? '';
  return { kind, severity, expected, observed, subject, path: source?.path ?? place?.path ?? '', message };
}
