import { DRIFT_KINDS, EFFECT_STATUSES, ELEMENT_CLASSES, OUTCOMES, REFUSAL_CODES } from '@holdfast/core';
import { Prisma } from '../generated/client';
import type { StatsRequest, StatsSeries } from './stats-request';

/** How a series is read from the facts: one statement of rows `(at, name, n)`, in buckets. */
export interface FactQuery {
  /** Names in their order. Those that nothing came of are series of zeros, or of gaps; others follow. */
  readonly names: readonly string[];
  /** A bucket without a row has nothing to tell, which is not zero. */
  readonly gaps?: true;
  /** Names that nothing came of are left out: too many to show. */
  readonly sparse?: true;
  readonly sql: (request: FactRange) => Prisma.Sql;
}

export interface FactRange extends StatsRequest {
  readonly tenantId: string;
}

const PHASES = ['classify', 'plan', 'secure', 'summarize', 'verify', 'commit'] as const;
/** Weeks begin on Monday. */
const ORIGIN = Prisma.sql`timestamptz '2000-01-03 00:00:00+00'`;

/** Start of the bucket that a column's time is in. */
function bucketOf(column: string, { bucketSeconds }: FactRange): Prisma.Sql {
  return Prisma.sql`date_bin(make_interval(secs => ${bucketSeconds}::float8), ${Prisma.raw(column)}, ${ORIGIN})`;
}

/** Rows of the tenant and its agents whose time is in the range. */
export function within(column: string, { tenantId, agentIds, from, to }: FactRange, alias = ''): Prisma.Sql {
  const [tenant, agent, time] = ['tenant_id', 'agent_id', column].map((name) => Prisma.raw(`${alias}${name}`));
  const agents = agentIds === undefined ? Prisma.empty : Prisma.sql`and ${agent} = any(${[...agentIds]}::text[])`;
  return Prisma.sql`${tenant} = ${tenantId}::uuid ${agents} and ${time} >= ${from} and ${time} < ${to}`;
}

function counted(table: string, column: string, name: string, more = Prisma.empty): FactQuery['sql'] {
  return (range) => Prisma.sql`
    select ${bucketOf(column, range)} as at, ${Prisma.raw(name)} as name, count(*)::float8 as n
    from ${Prisma.raw(table)} where ${within(column, range)} ${more} group by 1, 2`;
}

/** Several columns of finished passes, each a series: `values` gives the aggregate of each name. */
function ofPasses(values: readonly (readonly [string, string])[]): FactQuery['sql'] {
  const aggregates = values.map(([, aggregate], index) => Prisma.raw(`${aggregate} as v${String(index)}`));
  const pairs = values.map(([name], index) => Prisma.sql`(${name}::text, v${Prisma.raw(String(index))}::float8)`);
  return (range) => Prisma.sql`
    select at, v.name, v.n from (
      select ${bucketOf('accepted_at', range)} as at, ${Prisma.join(aggregates)}
      from compactions where ${within('accepted_at', range)} and status = 'finished' group by 1
    ) buckets, lateral (values ${Prisma.join(pairs)}) v (name, n)`;
}

function percentiles(column: string, of: string): readonly (readonly [string, string])[] {
  return (
    [
      ['p50', 0.5],
      ['p95', 0.95],
    ] as const
  ).map(([name, share]) => [`${of} ${name}`, `percentile_cont(${String(share)}) within group (order by ${column})`]);
}

/** A UUIDv7 holds the ms of its making, by a clock that is not the database's: a margin for both to differ. */
const CLOCK_MARGIN_MS = 3_600_000;

function idFrom(ms: number): string {
  const hex = Math.max(0, ms).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-0000-0000-000000000000`;
}

const LATENCIES = PHASES.flatMap((phase) => percentiles(`${phase}_ms`, phase));
const WAIT = 'extract(epoch from started_at - accepted_at) * 1000';
const WAITS = [
  ...percentiles(WAIT, 'queue wait'),
  ['queue wait p99', `percentile_cont(0.99) within group (order by ${WAIT})`],
] as const;
const TOKENS = ['before', 'after', 'pinned'].map((side) => [side, `coalesce(sum(tokens_${side}), 0)`] as const);
const CLASSES = ELEMENT_CLASSES.map((name) => [name, `coalesce(sum(count_${name}), 0)`] as const);

/** Every series over the tables of facts. */
export const FACT_QUERIES: Readonly<Record<Exclude<StatsSeries, 'after-passes'>, FactQuery>> = {
  drift: { names: DRIFT_KINDS, sparse: true, sql: counted('drift_incidents', 'occurred_at', 'kind') },
  refusals: { names: REFUSAL_CODES, sparse: true, sql: counted('refusals', 'created_at', 'code') },
  passes: {
    names: [...OUTCOMES, 'open'],
    sql: counted('compactions', 'accepted_at', `coalesce(outcome, 'open')`),
  },
  duplicates: {
    names: ['double_execution_blocked'],
    sql: counted('effect_attempts', 'at', `'double_execution_blocked'`, Prisma.sql`and answer = 'duplicate'`),
  },
  'tool-outcomes': {
    names: ['rejected', 'failed', 'succeeded'],
    sql: counted('tool_outcomes', 'at', 'outcome'),
  },
  tokens: { names: TOKENS.map(([name]) => name), sql: ofPasses(TOKENS) },
  classes: { names: CLASSES.map(([name]) => name), sql: ofPasses(CLASSES) },
  ledger: {
    names: EFFECT_STATUSES,
    sql: (range) => {
      const [first, last] = [range.from.getTime() - CLOCK_MARGIN_MS, range.to.getTime() + CLOCK_MARGIN_MS];
      const ids = Prisma.sql`and id >= ${idFrom(first)}::uuid and id < ${idFrom(last)}::uuid`;
      return counted('effects', 'created_at', 'status', ids)(range);
    },
  },
  latency: { names: LATENCIES.map(([name]) => name), gaps: true, sql: ofPasses(LATENCIES) },
  'queue-wait': { names: WAITS.map(([name]) => name), gaps: true, sql: ofPasses(WAITS) },
};
