import {
  agentIdSchema,
  handleSchema,
  idSchema,
  keyIdSchema,
  type ProblemCode,
  sessionNameSchema,
  statsSeriesSchema,
} from '@holdfast/contracts';
import type { z } from 'zod';
import { ApiProblem } from '../problems/api-problem';

/** A part of a path that cannot be the name of anything names nothing: 404, like one that is not there. */
function named<Name extends string>(schema: z.ZodType<Name>, code: ProblemCode) {
  return (value: string): Name => {
    const checked = schema.safeParse(value);
    if (!checked.success) throw new ApiProblem(code);
    return checked.data;
  };
}

export const agentInPath = named(agentIdSchema, 'AGENT_UNKNOWN');
export const sessionInPath = named(sessionNameSchema, 'SESSION_UNKNOWN');
export const compactionInPath = named(idSchema, 'COMPACTION_UNKNOWN');
export const effectInPath = named(idSchema, 'EFFECT_ID_UNKNOWN');
export const refusalInPath = named(idSchema, 'REFUSAL_UNKNOWN');
export const driftGroupInPath = named(idSchema, 'DRIFT_GROUP_UNKNOWN');
export const seriesInPath = named(statsSeriesSchema, 'SERIES_UNKNOWN');
export const channelInPath = named(idSchema, 'CHANNEL_UNKNOWN');
export const ruleInPath = named(idSchema, 'RULE_UNKNOWN');
export const silenceInPath = named(idSchema, 'SILENCE_UNKNOWN');
export const alertInPath = named(idSchema, 'ALERT_UNKNOWN');
export const deliveryInPath = named(idSchema, 'DELIVERY_UNKNOWN');
export const windowInPath = named(idSchema, 'WINDOW_UNKNOWN');
export const handleInPath = named(handleSchema, 'HANDLE_UNKNOWN');
export const keyInPath = named(keyIdSchema, 'KEY_UNKNOWN');

/** For PUT, where the path gives a name: the problem says what a name looks like. */
export function newAgentInPath(value: string): string {
  const checked = agentIdSchema.safeParse(value);
  if (checked.success) return checked.data;
  throw new ApiProblem('FIELD_INVALID', 'An agent is named by letters, digits and . _ : @ -, at most 200', {
    errors: [{ code: 'FIELD_INVALID', path: '/agent', in: 'path', message: 'is no name of an agent' }],
  });
}
