import type { AlertInstance as InstanceRecord, AlertRule as RuleRecord } from '../../generated/client';

/** A rule as it is stored; what its columns mean is the caller's. */
export interface StoredRule {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  readonly tier: 'page' | 'ticket' | 'count';
  readonly settings: unknown;
  readonly notify: unknown;
}

/** Something that happened, owed by the transaction that made it so. */
export interface StoredSignal {
  readonly id: bigint;
  readonly type: string;
  readonly agentId: string | undefined;
  readonly subject: string;
  readonly detail: Readonly<Record<string, unknown>>;
  readonly atMs: number;
}

export type InstanceState = 'pending' | 'firing' | 'acknowledged' | 'resolved';

/** One alert; times in milliseconds of the database's clock. */
export interface StoredInstance {
  readonly id: string;
  readonly ruleId: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly tier: StoredRule['tier'];
  readonly state: InstanceState;
  readonly count: number;
  readonly detail: Readonly<Record<string, unknown>>;
  readonly firstAt: number;
  readonly lastAt: number;
  readonly pendingSince: number | null;
  readonly clearSince: number | null;
  readonly firedAt: number | null;
  readonly acknowledgedAt: number | null;
  readonly acknowledgedBy: string | null;
  readonly resolvedAt: number | null;
  readonly notifiedCount: number;
  readonly toldState: InstanceState | null;
  readonly toldAt: number | null;
  readonly toldSteps: readonly number[];
}

export function storedRule(row: RuleRecord): StoredRule {
  const { id, name, kind, settings, notify } = row;
  return { id, name, kind, tier: row.tier as StoredRule['tier'], settings, notify };
}

const ms = (at: Date | null): number | null => at?.getTime() ?? null;

export function storedInstance(row: InstanceRecord): StoredInstance {
  return {
    id: row.id,
    ruleId: row.ruleId,
    labels: row.labels as StoredInstance['labels'],
    tier: row.tier as StoredRule['tier'],
    state: row.state as InstanceState,
    count: Number(row.count),
    detail: row.detail as StoredInstance['detail'],
    firstAt: row.firstAt.getTime(),
    lastAt: row.lastAt.getTime(),
    pendingSince: ms(row.pendingSince),
    clearSince: ms(row.clearSince),
    firedAt: ms(row.firedAt),
    acknowledgedAt: ms(row.acknowledgedAt),
    acknowledgedBy: row.acknowledgedBy,
    resolvedAt: ms(row.resolvedAt),
    notifiedCount: Number(row.notifiedCount),
    toldState: row.toldState as InstanceState | null,
    toldAt: ms(row.toldAt),
    toldSteps: row.toldSteps,
  };
}
