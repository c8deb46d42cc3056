import { STATS_BUCKETS, statsQuerySchema, type StatsResponse } from '@holdfast/contracts';
import { Controller, Get, Param, Query } from '@nestjs/common';
import { type Caller, demandAgent } from '../auth/caller';
import { CallerOf } from '../auth/caller-of';
import { Scopes } from '../auth/scopes';
import { seriesInPath } from '../http/path-parameter';
import { readQuery } from '../http/query';
import { StatsRepository } from '../ports/repositories';
import { requestProblem } from '../problems/api-problem';
import { statsRange } from './stats-range';

@Controller('v1/stats')
export class StatsController {
  constructor(private readonly stats: StatsRepository) {}

  @Get(':series')
  @Scopes('stats:read')
  async get(
    @Param('series') name: string,
    @Query() query: unknown,
    @CallerOf() caller: Caller,
  ): Promise<StatsResponse> {
    const series = seriesInPath(name);
    const { agent, ...asked } = readQuery(query, statsQuerySchema);
    if (agent !== undefined) demandAgent(caller, agent);
    const allowed = caller.agentAllowList.length === 0 ? undefined : caller.agentAllowList;
    const range = statsRange(asked, await this.stats.now(caller.tenantId));
    if ('code' in range) throw requestProblem([range]);
    const { from, to, bucket } = range;
    const answer = await this.stats.read(caller.tenantId, {
      ...{ series, from, to, agentIds: agent === undefined ? allowed : [agent] },
      bucketSeconds: STATS_BUCKETS[bucket],
    });
    return {
      range: { from: from.toISOString(), to: to.toISOString() },
      ...{ bucket, tz: 'UTC', complete_until: answer.completeUntil.toISOString(), source: answer.source },
      series: answer.series.map((one) => ({ name: one.name, points: one.points.map(([at, n]) => [at, n]) })),
      ...(answer.sincePass === undefined
        ? {}
        : {
            since_pass: answer.sincePass.map(({ name: of, by, counts }) => ({ name: of, by, counts: { ...counts } })),
          }),
    };
  }
}
