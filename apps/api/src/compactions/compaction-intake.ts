import { Injectable } from '@nestjs/common';
import { ApiSettings } from '../api-settings';
import { type Caller, demandAgent } from '../auth/caller';
import type { ApiRequest } from '../http/api-request';
import { BodyBudget, readRawBody } from '../http/raw-body';
import { AgentRepository, type StoredAgent } from '../ports/repositories';
import { ApiProblem, requestProblem } from '../problems/api-problem';
import type { CompactionBody } from '../reading/read-compaction-body';
import { RequestThreads } from '../threads/request-threads';

/** A request with a window that passed every check, and the agent that it is for. */
export interface CompactionIntake {
  readonly body: Extract<CompactionBody, { kind: 'read' }>;
  readonly agent: StoredAgent;
  /** The model that decides how tokens are counted. */
  readonly model: string | undefined;
}

/** Reads the body of a compaction or a plan. Stores nothing. */
@Injectable()
export class CompactionIntakes {
  constructor(
    private readonly agents: AgentRepository,
    private readonly threads: RequestThreads,
    private readonly settings: ApiSettings,
    private readonly budget: BodyBudget,
  ) {}

  async read(request: ApiRequest, caller: Caller): Promise<CompactionIntake> {
    const { maxBodyBytes, maxDepth, maxElements } = this.settings;
    const bytes = await readRawBody(request, maxBodyBytes, this.budget);
    const body = await this.threads.read({ bytes, limits: { maxDepth, maxElements } });
    if (body.kind === 'problems') throw requestProblem(body.errors);
    demandAgent(caller, body.fields.agent);
    const agent = await this.agents.findAgent(caller.tenantId, body.fields.agent);
    if (agent === undefined) {
      throw new ApiProblem('AGENT_UNKNOWN', undefined, {
        errors: [{ code: 'AGENT_UNKNOWN', path: '/agent', in: 'body', message: 'is no agent; create it first' }],
      });
    }
    return { body, agent, model: body.fields.model ?? body.windowModel };
  }
}
