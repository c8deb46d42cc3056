import { type AlertType, eventFires, type EventRule, fingerprint, groupLabels, signalLabels } from '@holdfast/alerting';
import type { SignalMeaning, Sighting, StoredRule, StoredSignal } from '@holdfast/persistence';
import { readRule } from './read-rule';

/** Events that end what another one began, told apart by the same labels. */
const ENDED_BY: Readonly<Record<string, AlertType>> = {
  'compaction.refusal_resolved': 'compaction.refused',
  'drift.resolved': 'drift.detected',
  'effect.outcome_known': 'effect.outcome_unknown',
};

/** What signals mean by the rules of their tenant: alerts seen, each with its count, and alerts that are over. */
export function judgeSignals(rules: readonly StoredRule[], signals: readonly StoredSignal[]): SignalMeaning {
  const events = rules.flatMap((stored) => {
    const { rule } = readRule(stored);
    return rule.kind === 'event' ? [{ stored, rule }] : [];
  });
  const seen = new Map<string, Sighting>();
  const over: SignalMeaning['over'][number][] = [];
  for (const signal of signals) {
    const labels = signalLabels(signal);
    for (const { stored, rule } of events) {
      const ended = ENDED_BY[signal.type];
      if (ended !== undefined && fires(rule, ended, labels)) {
        over.push({ ruleId: stored.id, fingerprint: fingerprint(stored.id, groupLabels(labels, rule.groupBy)) });
      }
      if (!fires(rule, signal.type as AlertType, labels)) continue;
      const group = groupLabels(labels, rule.groupBy);
      const identity = fingerprint(stored.id, group);
      const detail = { ...signal.detail, type: signal.type, subject: signal.subject, agent: signal.agentId ?? null };
      seen.set(identity, {
        ...{ ruleId: stored.id, fingerprint: identity, detail, tier: tierOf(stored, signal) },
        labels: { ...group, type: signal.type },
        occurrences: (seen.get(identity)?.occurrences ?? 0) + 1,
      });
    }
  }
  return { seen: [...seen.values()], over };
}

function fires(rule: EventRule, type: AlertType, labels: Readonly<Record<string, string>>): boolean {
  return eventFires(rule, { type, labels: { ...labels, type } });
}

/** What says of itself that it wakes somebody does so, whatever its rule's tier: an agent that is stuck, above all. */
function tierOf({ tier }: StoredRule, { detail }: StoredSignal): StoredRule['tier'] {
  return tier === 'ticket' && detail['severity'] === 'page' ? 'page' : tier;
}
