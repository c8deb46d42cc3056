import type { z } from 'zod';
import type { ProblemCode } from './problem-codes';
import {
  acknowledgeRequestSchema,
  assignRequestSchema,
  commentRequestSchema,
  dismissRequestSchema,
  refusalDetailSchema,
  refusalGroupSchema,
  refusalListSchema,
  refusalMemberPageSchema,
  refusalQuerySchema,
  refusalStepPageSchema,
} from './refusal-group';
import { previewSchema, resolutionSchema, resolvingSchema } from './refusal-resolution';
import { BODY_PROBLEMS, json, QUERY_PROBLEMS, type Route } from './route';
import { idSchema, pageQuerySchema } from './scalars';

const TAG = 'refusals';
const REFUSAL = { id: idSchema };

function act(name: string, summary: string, body: z.ZodType, problems: readonly ProblemCode[]): Route {
  return {
    operation: `${name}Refusal`,
    method: 'post',
    path: `/v1/refusals/{id}/${name}`,
    summary,
    tag: TAG,
    access: ['refusals:resolve'],
    parameters: REFUSAL,
    body,
    answers: { 200: json('The refusal as it is now.', refusalGroupSchema) },
    problems: ['REFUSAL_UNKNOWN', ...problems, ...BODY_PROBLEMS],
  };
}

const CHANGE_PROBLEMS = [
  'REFUSAL_UNKNOWN',
  'REFUSAL_CLOSED',
  'SESSION_UNKNOWN',
  'COMPACTION_UNKNOWN',
  'ELEMENT_UNKNOWN',
  'RECORD_UNKNOWN',
  'EFFECT_UNKNOWN',
  'KEY_WITHOUT_EFFECT',
  'JSON_PATH_INVALID',
  'PATTERN_UNSAFE',
  'CONDITION_EMPTY',
  'CONDITION_INCOMPLETE',
  'NOTHING_TO_ADOPT',
  'WINDOW_SUPERSEDED',
] as const;

/** Routes of refusals as somebody works on them. */
export const refusalRoutes: readonly Route[] = [
  {
    operation: 'listRefusals',
    method: 'get',
    path: '/v1/refusals',
    summary: 'Refusals by agent, code and cause, the newest first, with counts for each filter.',
    tag: TAG,
    access: ['refusals:read'],
    query: refusalQuerySchema,
    answers: { 200: json('A page of refusals.', refusalListSchema) },
    problems: ['AGENT_NOT_ALLOWED', ...QUERY_PROBLEMS],
  },
  {
    operation: 'getRefusal',
    method: 'get',
    path: '/v1/refusals/{id}',
    summary: 'One refusal with its newest evidence, the passes that it stopped, and what was done about it.',
    tag: TAG,
    access: ['refusals:read'],
    parameters: REFUSAL,
    answers: { 200: json('The refusal.', refusalDetailSchema) },
    problems: ['REFUSAL_UNKNOWN'],
  },
  {
    operation: 'listRefusalMembers',
    method: 'get',
    path: '/v1/refusals/{id}/members',
    summary: 'Refused passes of one refusal, the newest first.',
    tag: TAG,
    access: ['refusals:read'],
    parameters: REFUSAL,
    query: pageQuerySchema,
    answers: { 200: json('A page of refused passes.', refusalMemberPageSchema) },
    problems: ['REFUSAL_UNKNOWN', ...QUERY_PROBLEMS],
  },
  {
    operation: 'listRefusalSteps',
    method: 'get',
    path: '/v1/refusals/{id}/steps',
    summary: 'What was done about one refusal, the oldest first.',
    tag: TAG,
    access: ['refusals:read'],
    parameters: REFUSAL,
    query: pageQuerySchema,
    answers: { 200: json('A page of steps.', refusalStepPageSchema) },
    problems: ['REFUSAL_UNKNOWN', ...QUERY_PROBLEMS],
  },
  {
    operation: 'previewResolution',
    method: 'post',
    path: '/v1/refusals/{id}/preview',
    summary: 'The plan that a resolution leads to on the newest window; changes nothing.',
    tag: TAG,
    access: ['refusals:resolve'],
    parameters: REFUSAL,
    body: resolutionSchema,
    answers: { 200: json('What it leads to.', previewSchema) },
    problems: [...CHANGE_PROBLEMS, ...BODY_PROBLEMS],
  },
  {
    operation: 'resolveRefusal',
    method: 'post',
    path: '/v1/refusals/{id}/resolve',
    summary: 'Makes a change and retries the refused passes on their newest windows; it closes when they pass.',
    tag: TAG,
    access: ['refusals:resolve'],
    parameters: REFUSAL,
    body: resolutionSchema,
    answers: { 202: json('The passes are retried.', resolvingSchema) },
    problems: [...CHANGE_PROBLEMS, ...BODY_PROBLEMS],
  },
  act('acknowledge', 'Says that somebody is on it.', acknowledgeRequestSchema, ['REFUSAL_CLOSED']),
  act('assign', 'Gives it to somebody, or to nobody.', assignRequestSchema, ['REFUSAL_CLOSED']),
  act('comment', 'Adds a comment to its history.', commentRequestSchema, []),
  act('dismiss', 'Closes it without a repair; the reason stays with it.', dismissRequestSchema, ['REFUSAL_CLOSED']),
];
