import type { AlertRule, AlertSeverity, EscalationStep, GroupPolicy, RuleKind } from '@holdfast/alerting';
import type { AlertRule as RuleRow, Prisma } from '../../generated/client';
import { fromJsonColumn, jsonColumn } from '../../json-column';
import { originalText, storedText } from '../../text';

/** Whom a rule tells, and how often. */
export interface RuleNotify {
  /** Null: every channel that is active. */
  readonly channelIds: readonly string[] | null;
  /** Null: what its severity says. */
  readonly policy: GroupPolicy | null;
  readonly escalation: readonly EscalationStep[];
}

export const USUAL_NOTIFY: RuleNotify = { channelIds: null, policy: null, escalation: [] };

export interface StoredAlertRule {
  readonly id: string;
  readonly rule: AlertRule;
  readonly notify: RuleNotify;
  readonly enabled: boolean;
  /** Made for every tenant; cannot be deleted. */
  readonly standard: boolean;
  readonly createdAt: string;
}

export interface RuleColumns {
  readonly name: string;
  readonly kind: RuleKind;
  readonly tier: AlertSeverity;
  readonly settings: Prisma.InputJsonValue;
  readonly notify: Prisma.InputJsonValue;
}

/** A rule as its columns hold it: `settings` has what its kind asks for. */
export function ruleColumns({ name, kind, severity, ...settings }: AlertRule, notify: RuleNotify): RuleColumns {
  return {
    name: storedText(name),
    kind,
    tier: severity,
    settings: jsonColumn(settings),
    notify: jsonColumn(notify),
  };
}

/** The rule of a row that {@link ruleColumns} wrote. */
export function storedRule(row: RuleRow): StoredAlertRule {
  const settings = fromJsonColumn(row.settings) as Readonly<Record<string, unknown>>;
  const { id, enabled, standard } = row;
  return {
    ...{ id, enabled, standard },
    // Columns are written by `ruleColumns` only, from a rule that was checked.
    rule: { ...settings, name: originalText(row.name), kind: row.kind, severity: row.tier } as unknown as AlertRule,
    notify: { ...USUAL_NOTIFY, ...(fromJsonColumn(row.notify) as Partial<RuleNotify>) },
    createdAt: row.createdAt.toISOString(),
  };
}

/** Rules of events are judged only for how long their alerts have been quiet; all others for what they look at. */
export function firstJudgement(rule: AlertRule): Date | null {
  return rule.kind === 'event' && rule.keepFiringForMs === null ? null : new Date(0);
}
