import { type RecordedOutcomesResponse, toolOutcomeBatchSchema, toolOutcomeSchema } from '@holdfast/contracts';
import { Controller, HttpCode, Post, Req } from '@nestjs/common';
import { z } from 'zod';
import { type Caller, demandAgent } from '../auth/caller';
import { CallerOf } from '../auth/caller-of';
import { Scopes } from '../auth/scopes';
import type { ApiRequest } from '../http/api-request';
import { readJsonBody } from '../http/json-body';
import { BodyBudget } from '../http/raw-body';
import { MetricsSource } from '../operation/metrics-source';
import { ToolOutcomeRepository } from '../ports/repositories';
import { ApiProblem, requestProblem } from '../problems/api-problem';
import { fieldErrors } from '../problems/field-errors';

type Outcome = z.output<typeof toolOutcomeSchema>;

@Controller('v1/tool-outcomes')
export class ToolOutcomesController {
  constructor(
    private readonly outcomes: ToolOutcomeRepository,
    private readonly budget: BodyBudget,
    private readonly metrics: MetricsSource,
  ) {}

  @Post()
  @HttpCode(200)
  @Scopes('outcomes:write')
  async record(@CallerOf() caller: Caller, @Req() request: ApiRequest): Promise<RecordedOutcomesResponse> {
    const sent = outcomesIn(await readJsonBody(request, z.unknown(), this.budget));
    for (const agent of new Set(sent.map((outcome) => outcome.agent))) demandAgent(caller, agent);
    const answer = await this.outcomes.record(
      caller.tenantId,
      sent.map(({ agent, session, tool, outcome, code, call_id: callId, at }) => ({
        ...{ agentId: agent, session, tool, outcome, code, callId },
        at: at === undefined ? undefined : new Date(at),
      })),
    );
    if (answer.kind === 'agent_unknown') {
      throw new ApiProblem('AGENT_UNKNOWN', `There is no agent ${answer.agentId}; create it first`);
    }
    for (const [index, { outcome }] of sent.entries()) {
      if (answer.items[index]?.repeated === false) this.metrics.countToolOutcome(outcome);
    }
    return {
      items: answer.items.map(({ id, repeated, compactionId, sincePass }) => ({
        ...{ id, repeated, compaction_id: compactionId ?? null, since_pass: sincePass ?? null },
      })),
    };
  }
}

/** A body with `outcomes` is a batch, so that what is wrong with one of them is said where it stands. */
function outcomesIn(body: unknown): readonly Outcome[] {
  if (typeof body === 'object' && body !== null && 'outcomes' in body) {
    return checked(body, toolOutcomeBatchSchema).outcomes;
  }
  return [checked(body, toolOutcomeSchema)];
}

function checked<Schema extends z.ZodType>(body: unknown, schema: Schema): z.output<Schema> {
  const answer = schema.safeParse(body);
  if (!answer.success) throw requestProblem(fieldErrors(answer.error, body, 'body'));
  return answer.data;
}
