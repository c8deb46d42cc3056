import { z } from 'zod';
import { agentIdSchema, timeSchema } from './scalars';

export const STATS_SERIES = [
  'drift',
  'refusals',
  'passes',
  'duplicates',
  'tool-outcomes',
  'tokens',
  'classes',
  'ledger',
  'latency',
  'queue-wait',
  'after-passes',
] as const;
export type StatsSeriesName = (typeof STATS_SERIES)[number];
export const statsSeriesSchema = z.enum(STATS_SERIES).meta({
  description: [
    '`drift`: incidents by kind',
    '`refusals`: by code',
    '`passes`: by outcome',
    '`duplicates`: claims that were answered `duplicate`',
    '`tool-outcomes`: by outcome',
    '`tokens`: sums before, after and pinned',
    '`classes`: elements by class',
    '`ledger`: new effects by the status that they have now',
    '`latency`: p50 and p95 in ms of each phase',
    '`queue-wait`: p50, p95 and p99 in ms from accepted to started',
    '`after-passes`: rejections and duplicates by what came before them',
  ].join('; '),
});

/** Widths of a bucket, in seconds, by name. */
export const STATS_BUCKETS = {
  '1m': 60,
  '5m': 300,
  '15m': 900,
  '1h': 3_600,
  '3h': 10_800,
  '6h': 21_600,
  '1d': 86_400,
  '7d': 604_800,
} as const;
export type StatsBucket = keyof typeof STATS_BUCKETS;
/** Most points of one series. */
export const MAX_STATS_POINTS = 500;

const bucketNames = Object.keys(STATS_BUCKETS) as [StatsBucket, ...StatsBucket[]];

export const statsQuerySchema = z.strictObject({
  agent: agentIdSchema.optional().meta({ description: 'Without it: all agents that the key allows.' }),
  from: z.iso.datetime({ offset: true }).optional().meta({ description: 'Default: 24 hours before `to`.' }),
  to: z.iso.datetime({ offset: true }).optional().meta({ description: 'Default: now.' }),
  bucket: z
    .enum(bucketNames)
    .optional()
    .meta({ description: 'Default: the narrowest that gives at most 500 points. Weeks begin on Monday.' }),
});

const pointSchema = z
  .tuple([z.int(), z.number().nullable()])
  .meta({ description: 'Start of the bucket in ms since 1970, and the value; null where there is none to tell.' });

export const statsSchema = z
  .strictObject({
    range: z.strictObject({ from: timeSchema, to: timeSchema }),
    bucket: z.enum(bucketNames),
    tz: z.literal('UTC'),
    complete_until: timeSchema.meta({ description: 'What happened later may still be missing.' }),
    series: z.array(z.strictObject({ name: z.string(), points: z.array(pointSchema).max(MAX_STATS_POINTS) })),
    source: z.enum(['facts']).meta({ description: 'What it was read from.' }),
    since_pass: z
      .array(
        z.strictObject({
          name: z.enum(['rejected', 'failed', 'succeeded', 'double_execution_blocked']),
          by: z.enum(['calls', 'minutes']),
          counts: z.record(z.string(), z.int().min(0)),
        }),
      )
      .optional()
      .meta({
        description: 'Only of `after-passes`: counts by calls, and by minutes, since the last pass of the session.',
      }),
  })
  .meta({ id: 'Stats' });
export type StatsResponse = z.infer<typeof statsSchema>;
