import type { Database } from './database';

/** Things of one kind that wait, and the age of the oldest; 0 when none does. */
export interface WaitingRows {
  readonly count: number;
  readonly oldestAgeSeconds: number;
}

/** What stands in the database over all tenants: counts and ages, and nothing that belongs to one of them. */
export interface StoreState {
  readonly outbox: WaitingRows;
  readonly unfinishedPasses: WaitingRows;
  readonly openRefusals: { readonly page: WaitingRows; readonly ticket: WaitingRows };
  readonly pendingDeliveries: WaitingRows;
}

/** Longest look: it serves a scrape, which comes again. */
const LOOK_TIMEOUT_MS = 3_000;

interface CountRow {
  readonly name: string;
  readonly count: number;
  readonly age: number;
}

/** Counts what waits. Each part is found by an index over what is not done, so the cost follows the backlog. */
export async function readStoreState(database: Database): Promise<StoreState> {
  const rows = await database.asSystem(
    (tx) => tx.$queryRaw<CountRow[]>`
      select name, count(*)::int as count,
        greatest(coalesce(extract(epoch from clock_timestamp() - min(since)), 0), 0)::float8 as age
      from (
        select 'outbox' as name, created_at as since from outbox where sent_at is null
        union all
        select 'passes', accepted_at from compactions where status in ('accepted', 'dispatched', 'running')
        union all
        select 'refusals_' || severity, first_seen_at from refusal_groups where status in ('open', 'acknowledged')
        union all
        select 'deliveries', created_at from alert_deliveries where state = 'pending'
      ) waiting group by name`,
    { timeoutMs: LOOK_TIMEOUT_MS },
  );
  const of = (name: string): WaitingRows => {
    const row = rows.find((candidate) => candidate.name === name);
    return { count: row?.count ?? 0, oldestAgeSeconds: row?.age ?? 0 };
  };
  return {
    outbox: of('outbox'),
    unfinishedPasses: of('passes'),
    openRefusals: { page: of('refusals_page'), ticket: of('refusals_ticket') },
    pendingDeliveries: of('deliveries'),
  };
}
