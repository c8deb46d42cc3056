import { driftIncidentQuerySchema, type DriftIncidentResponse } from '@holdfast/contracts';
import { Controller, Get, Query } from '@nestjs/common';
import { type Caller, demandAgent } from '../auth/caller';
import { CallerOf } from '../auth/caller-of';
import { Scopes } from '../auth/scopes';
import { pageRequest, pageView } from '../http/page';
import { readQuery } from '../http/query';
import { IncidentRepository } from '../ports/repositories';
import { incidentView } from './incident-view';

@Controller('v1')
export class IncidentsController {
  constructor(private readonly incidents: IncidentRepository) {}

  @Get('drift-incidents')
  @Scopes('sessions:read')
  async list(
    @Query() query: unknown,
    @CallerOf() caller: Caller,
  ): Promise<{ readonly items: DriftIncidentResponse[]; readonly next: string | null }> {
    const { agent, compaction, ...paging } = readQuery(query, driftIncidentQuerySchema);
    if (agent !== undefined) demandAgent(caller, agent);
    const allowed = caller.agentAllowList.length === 0 ? undefined : caller.agentAllowList;
    const filter = { agentIds: agent === undefined ? allowed : [agent], compactionId: compaction };
    return pageView(await this.incidents.list(caller.tenantId, filter, pageRequest(paging, 'id')), incidentView);
  }
}
