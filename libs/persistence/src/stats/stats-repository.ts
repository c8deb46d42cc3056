import type { Database } from '../database';
import { SINCE_PASS_SPANS } from './after-passes';
import { FACT_QUERIES, type FactQuery } from './fact-queries';
import type { SincePassRow, StatsRequest, StatsRow } from './stats-request';
import { sourceOf } from './stats-source';

const NAMES_AFTER_PASSES = ['rejected', 'failed', 'succeeded', 'double_execution_blocked'] as const;

export interface StatsAnswer {
  /** Points from the first bucket to the last, each with the ms of its start; null where there is nothing to tell. */
  readonly series: readonly { readonly name: string; readonly points: readonly (readonly [number, number | null])[] }[];
  readonly completeUntil: Date;
  readonly source: 'facts';
  /** Only of `after-passes`. */
  readonly sincePass?: readonly {
    readonly name: (typeof NAMES_AFTER_PASSES)[number];
    readonly by: 'calls' | 'minutes';
    readonly counts: Readonly<Record<string, number>>;
  }[];
}

/** Series for charts, over one tenant's facts. */
export interface StatsRepository {
  now(tenantId: string): Promise<Date>;
  read(tenantId: string, request: StatsRequest): Promise<StatsAnswer>;
}

/** Reading 10 million facts without a rollup takes seconds, not more. */
const LONGEST_READ_MS = 20_000;

export function createStatsRepository(database: Database): StatsRepository {
  const reading = { idempotent: true, timeoutMs: LONGEST_READ_MS };
  return {
    now: (tenantId) =>
      database.withTenant(
        tenantId,
        async (tx) => {
          const [clock] = await tx.$queryRaw<{ now: Date }[]>`select clock_timestamp() as now`;
          return clock?.now ?? new Date();
        },
        reading,
      ),

    read: (tenantId, request) =>
      database.withTenant(
        tenantId,
        async (tx) => {
          const source = sourceOf(request);
          const range = { ...request, tenantId };
          const [clock] = await tx.$queryRaw<{ now: Date }[]>`select clock_timestamp() as now`;
          const now = clock?.now ?? new Date();
          const facts = { completeUntil: new Date(now.getTime() - source.delayMs), source: source.name };
          if (request.series !== 'after-passes') {
            const query = FACT_QUERIES[request.series];
            return { ...facts, series: seriesOf(await source.rows(tx, query, range), query, request, now) };
          }
          const outcomes = await source.rows(tx, FACT_QUERIES['tool-outcomes'], range);
          const blocked = await source.rows(tx, FACT_QUERIES.duplicates, range);
          return {
            ...facts,
            series: seriesOf([...outcomes, ...blocked], { names: NAMES_AFTER_PASSES }, request, now),
            sincePass: spansOf(await source.sincePass(tx, range)),
          };
        },
        reading,
      ),
  };
}

/** Rows as series without holes: zeros where nothing came, null after now and where nothing can be told. */
function seriesOf(
  rows: readonly StatsRow[],
  { names, gaps, sparse }: Pick<FactQuery, 'names' | 'gaps' | 'sparse'>,
  { from, to, bucketSeconds }: StatsRequest,
  now: Date,
): StatsAnswer['series'] {
  const values = new Map<string, Map<number, number | null>>();
  for (const { at, name, n } of rows) {
    const series = values.get(name) ?? new Map<number, number | null>();
    series.set(at.getTime(), n);
    values.set(name, series);
  }
  const found = [...values.keys()];
  const shown = [
    ...(sparse ? names.filter((name) => values.has(name)) : names),
    ...found.filter((name) => !names.includes(name)).sort(),
  ];
  return shown.map((name) => {
    const points: [number, number | null][] = [];
    for (let at = from.getTime(); at < to.getTime(); at += bucketSeconds * 1_000) {
      const empty = at > now.getTime() || gaps ? null : 0;
      points.push([at, values.get(name)?.get(at) ?? empty]);
    }
    return { name, points };
  });
}

function spansOf(rows: readonly SincePassRow[]): NonNullable<StatsAnswer['sincePass']> {
  return NAMES_AFTER_PASSES.flatMap((name) =>
    (['calls', 'minutes'] as const).map((by) => ({
      ...{ name, by },
      counts: Object.fromEntries(
        SINCE_PASS_SPANS[by].map((span) => [
          span,
          rows.find((row) => row.name === name && row.by === by && row.span === span)?.n ?? 0,
        ]),
      ),
    })),
  );
}
