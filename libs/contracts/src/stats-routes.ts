import { BODY_PROBLEMS, json, QUERY_PROBLEMS, type Route } from './route';
import { statsQuerySchema, statsSchema, statsSeriesSchema } from './stats';
import { recordedOutcomesSchema, toolOutcomesRequestSchema } from './tool-outcome';

/** Routes of what is counted: series for charts, and how calls of tools ended. */
export const statsRoutes: readonly Route[] = [
  {
    operation: 'getStats',
    method: 'get',
    path: '/v1/stats/{series}',
    summary: 'A series for a chart: ready buckets with explicit zeros, in UTC.',
    tag: 'stats',
    access: ['stats:read'],
    parameters: { series: statsSeriesSchema },
    query: statsQuerySchema,
    answers: { 200: json('The series.', statsSchema) },
    problems: ['SERIES_UNKNOWN', 'AGENT_NOT_ALLOWED', ...QUERY_PROBLEMS],
  },
  {
    operation: 'recordToolOutcomes',
    method: 'post',
    path: '/v1/tool-outcomes',
    summary: 'Records how calls of tools ended, one or up to 1,000 of them; all or none.',
    tag: 'outcomes',
    access: ['outcomes:write'],
    body: toolOutcomesRequestSchema,
    answers: { 200: json('What was recorded.', recordedOutcomesSchema) },
    problems: ['AGENT_UNKNOWN', 'AGENT_NOT_ALLOWED', ...BODY_PROBLEMS],
  },
];
