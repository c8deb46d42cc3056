import type { z } from 'zod';
import {
  archiveDriftGroupRequestSchema,
  commentDriftGroupRequestSchema,
  driftDownstreamSchema,
  driftGroupDetailSchema,
  driftGroupListSchema,
  driftGroupQuerySchema,
  driftGroupSchema,
  resolveDriftGroupRequestSchema,
} from './drift-group';
import { driftIncidentPageSchema } from './drift-incident';
import { assignRequestSchema } from './refusal-group';
import { BODY_PROBLEMS, json, QUERY_PROBLEMS, type Route } from './route';
import { idSchema, pageQuerySchema } from './scalars';

const TAG = 'drift';
const GROUP = { id: idSchema };

function act(name: string, summary: string, body: z.ZodType): Route {
  return {
    operation: `${name}DriftGroup`,
    method: 'post',
    path: `/v1/drift-groups/{id}/${name}`,
    summary,
    tag: TAG,
    access: ['drift:triage'],
    parameters: GROUP,
    body,
    answers: { 200: json('The group as it is now.', driftGroupSchema) },
    problems: ['DRIFT_GROUP_UNKNOWN', ...BODY_PROBLEMS],
  };
}

/** Routes of drift incidents as somebody works on them. */
export const driftGroupRoutes: readonly Route[] = [
  {
    operation: 'listDriftGroups',
    method: 'get',
    path: '/v1/drift-groups',
    summary: 'Groups of drift incidents, the last seen first, with counts for each filter.',
    tag: TAG,
    access: ['drift:read'],
    query: driftGroupQuerySchema,
    answers: { 200: json('A page of groups.', driftGroupListSchema) },
    problems: ['AGENT_NOT_ALLOWED', ...QUERY_PROBLEMS],
  },
  {
    operation: 'getDriftGroup',
    method: 'get',
    path: '/v1/drift-groups/{id}',
    summary:
      'One group: why its incidents are in it, the exact bytes of the newest, the first, and what was done about it.',
    tag: TAG,
    access: ['drift:read'],
    parameters: GROUP,
    answers: { 200: json('The group.', driftGroupDetailSchema) },
    problems: ['DRIFT_GROUP_UNKNOWN'],
  },
  {
    operation: 'listDriftOccurrences',
    method: 'get',
    path: '/v1/drift-groups/{id}/occurrences',
    summary: 'Incidents of one group, the newest first.',
    tag: TAG,
    access: ['drift:read'],
    parameters: GROUP,
    query: pageQuerySchema,
    answers: { 200: json('A page of incidents.', driftIncidentPageSchema) },
    problems: ['DRIFT_GROUP_UNKNOWN', ...QUERY_PROBLEMS],
  },
  {
    operation: 'getDriftDownstream',
    method: 'get',
    path: '/v1/drift-groups/{id}/downstream',
    summary: 'Where the newest corrupted value went: later effects and calls of its session that carry it.',
    tag: TAG,
    access: ['drift:read'],
    parameters: GROUP,
    answers: { 200: json('What was found.', driftDownstreamSchema) },
    problems: ['DRIFT_GROUP_UNKNOWN', 'BUSY'],
  },
  act('resolve', 'Says that it is mended; the next occurrence makes it regressed.', resolveDriftGroupRequestSchema),
  act(
    'archive',
    'Puts it out of sight until a time, so many more occurrences, or until it escalates.',
    archiveDriftGroupRequestSchema,
  ),
  act('reopen', 'Takes it back: ongoing.', resolveDriftGroupRequestSchema),
  act('assign', 'Gives it to somebody, or to nobody.', assignRequestSchema),
  act('comment', 'Adds a comment to its history.', commentDriftGroupRequestSchema),
];
