import { type AlertType, eventFires, type EventRule, fingerprint, groupLabels, signalLabels } from '@holdfast/alerting';
import type { SignalMeaning, Sighting, StoredRule, StoredSignal } from '@holdfast/persistence';
import { readRule } from './read-rule';

/** Events that end what another one began, told apart by the same labels. */
const ENDED_BY: Readonly<Record<string, AlertType>> = {
  'compaction.refusal_resolved': 'compaction.refused',
  'drift.resolved': 'drift.detected',
  'effect.outcome_known': 'effect.outcome_unknown',
};

/** What signals mean by the rules of their tenant; what is seen again before it is over is counted together. */
export function judgeSignals(rules: readonly StoredRule[], signals: readonly StoredSignal[]): SignalMeaning {
  const events = rules.flatMap((stored) => {
    const { rule } = readRule(stored);
    return rule.kind === 'event' ? [{ stored, rule }] : [];
  });
  const steps: SignalMeaning[number][] = [];
  /** Where the sighting stands that the next one of the same alert is counted into. */
  const open = new Map<string, number>();
  for (const signal of signals) {
    const labels = signalLabels(signal);
    for (const { stored, rule } of events) {
      const group = groupLabels(labels, rule.groupBy);
      const identity = fingerprint(stored.id, group);
      const ended = ENDED_BY[signal.type];
      if (ended !== undefined && fires(rule, ended, labels)) {
        steps.push({ kind: 'over', ruleId: stored.id, fingerprint: identity });
        open.delete(identity);
      }
      if (!fires(rule, signal.type as AlertType, labels)) continue;
      const at = open.get(identity) ?? steps.length;
      const before = steps[at];
      const sighting: Sighting = {
        ...{ ruleId: stored.id, fingerprint: identity, labels: { ...group, type: signal.type } },
        tier: tierOf(stored, signal),
        occurrences: (before?.kind === 'seen' ? before.sighting.occurrences : 0) + 1,
        detail: { ...signal.detail, type: signal.type, subject: signal.subject, agent: signal.agentId ?? null },
      };
      steps[at] = { kind: 'seen', sighting };
      open.set(identity, at);
    }
  }
  return steps;
}

function fires(rule: EventRule, type: AlertType, labels: Readonly<Record<string, string>>): boolean {
  return eventFires(rule, { type, labels: { ...labels, type } });
}

/** What says of itself that it wakes somebody does so, whatever its rule's tier: an agent that is stuck, above all. */
function tierOf({ tier }: StoredRule, { detail }: StoredSignal): StoredRule['tier'] {
  return tier === 'ticket' && detail['severity'] === 'page' ? 'page' : tier;
}
