import type { TenantTransaction } from '../database';
import { sincePassSql } from './after-passes';
import type { FactQuery, FactRange } from './fact-queries';
import type { SincePassRow, StatsRequest, StatsRow } from './stats-request';

/** Something that series can be read from. */
export interface StatsSource {
  readonly name: 'facts';
  /** How long after it happened a thing may still come in. */
  readonly delayMs: number;
  readonly rows: (tx: TenantTransaction, query: FactQuery, range: FactRange) => Promise<readonly StatsRow[]>;
  readonly sincePass: (tx: TenantTransaction, range: FactRange) => Promise<readonly SincePassRow[]>;
}

/** A fact gets its time inside of the transaction that commits it, and that is no longer than this. */
const LONGEST_TRANSACTION_MS = 30_000;

const FACTS: StatsSource = {
  name: 'facts',
  delayMs: LONGEST_TRANSACTION_MS,
  rows: (tx, query, range) => tx.$queryRaw<StatsRow[]>(query.sql(range)),
  sincePass: (tx, range) => tx.$queryRaw<SincePassRow[]>(sincePassSql(range)),
};

/** The source of a request: the one place that decides. */
export function sourceOf(_request: StatsRequest): StatsSource {
  return FACTS;
}
