import type { AlertRule, EscalationStep, GroupPolicy } from '@holdfast/alerting';
import type { StoredRule } from '@holdfast/persistence';

export interface RuleNotify {
  /** Null: every channel that is in use. */
  readonly channelIds: readonly string[] | null;
  /** Null: what its tier says. */
  readonly policy: GroupPolicy | null;
  readonly escalation: readonly EscalationStep[];
}

/** A rule as its columns hold it; they are written from a rule that was checked. */
export function readRule({ name, kind, tier, settings, notify }: StoredRule): {
  readonly rule: AlertRule;
  readonly notify: RuleNotify;
} {
  const usual: RuleNotify = { channelIds: null, policy: null, escalation: [] };
  return {
    rule: { ...(settings as object), name, kind, severity: tier } as AlertRule,
    notify: { ...usual, ...(notify as Partial<RuleNotify>) },
  };
}
