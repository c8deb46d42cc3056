/** What a chart asks for; the range begins and ends with a bucket. */
export interface StatsRequest {
  readonly series: StatsSeries;
  /** Undefined for all agents. */
  readonly agentIds: readonly string[] | undefined;
  readonly from: Date;
  readonly to: Date;
  readonly bucketSeconds: number;
}

export type StatsSeries =
  | 'drift'
  | 'refusals'
  | 'passes'
  | 'duplicates'
  | 'tool-outcomes'
  | 'tokens'
  | 'classes'
  | 'ledger'
  | 'latency'
  | 'queue-wait'
  | 'after-passes';

/** A value of one series in one bucket. */
export interface StatsRow {
  readonly at: Date;
  readonly name: string;
  readonly n: number | null;
}

/** What calls or minutes since a pass came to, by the bounds of the span. */
export interface SincePassRow {
  readonly name: string;
  readonly by: 'calls' | 'minutes';
  readonly span: string;
  readonly n: number;
}
