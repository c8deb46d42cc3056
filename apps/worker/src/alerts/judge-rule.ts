import {
  advance,
  type AlertRule,
  evaluateAbsence,
  evaluateAge,
  evaluateRatio,
  evaluateThreshold,
  type Evaluation,
  fingerprint,
  groupLabels,
  INACTIVE_INSTANCE,
  type InstanceSignal,
  type Labels,
} from '@holdfast/alerting';
import type { JudgedInstance, RuleNumbers, StoredInstance, StoredRule } from '@holdfast/persistence';
import { alertOf } from './decide-notify';
import { readRule } from './read-rule';

interface Observation {
  readonly labels: Labels;
  readonly evaluation: Evaluation;
  readonly detail: Readonly<Record<string, unknown>>;
}

/**
 * Judges a rule: what holds begins or goes on, what does not clears. Of a rule of events nothing is observed here, so its
 * alerts clear once they have been quiet for as long as it says.
 */
export async function judgeRule(
  stored: StoredRule,
  numbers: RuleNumbers,
  live: ReadonlyMap<string, StoredInstance>,
): Promise<readonly JudgedInstance[]> {
  const { rule } = readRule(stored);
  const observed = await observe(rule, numbers);
  const seen = new Map(observed.map((each) => [fingerprint(stored.id, groupLabels(each.labels, rule.groupBy)), each]));
  const judged: JudgedInstance[] = [];
  for (const [identity, { labels, evaluation, detail }] of seen) {
    const known = live.get(identity);
    if (known === undefined && evaluation.verdict !== 'holds') continue;
    const signal = signalOf(evaluation, numbers.nowMs);
    judged.push(step(rule, identity, { ...groupLabels(labels, rule.groupBy), type: rule.type }, detail, known, signal));
  }
  // What is not observed any more does not hold.
  for (const [identity, known] of live) {
    if (seen.has(identity)) continue;
    judged.push(step(rule, identity, known.labels, known.detail, known, { kind: 'clears', at: numbers.nowMs }));
  }
  return judged;
}

function signalOf({ verdict }: Evaluation, at: number): InstanceSignal {
  if (verdict === 'holds') return { kind: 'holds', at, occurrences: 1 };
  return verdict === 'clears' ? { kind: 'clears', at } : { kind: 'passes', at };
}

function step(
  { forMs, keepFiringForMs, type }: AlertRule,
  identity: string,
  labels: Labels,
  detail: Readonly<Record<string, unknown>>,
  known: StoredInstance | undefined,
  signal: InstanceSignal,
): JudgedInstance {
  const before = known === undefined ? INACTIVE_INSTANCE : alertOf(known);
  const { instance, action } = advance(before, signal, { forMs, keepFiringForMs });
  return {
    ...{ fingerprint: identity, labels, detail: { type, ...detail }, tell: action !== null },
    next: {
      state: instance.state,
      // A condition that goes on is one alert, however often it is looked at; only events are counted.
      count: known?.count ?? 1,
      firstAt: instance.firstSeenAt ?? signal.at,
      lastAt: signal.kind === 'holds' ? signal.at : (known?.lastAt ?? signal.at),
      pendingSince: instance.pendingSince,
      clearSince: instance.clearSince,
      firedAt: instance.firedAt,
      acknowledgedAt: instance.acknowledgedAt,
      acknowledgedBy: instance.acknowledgedBy,
      resolvedAt: instance.resolvedAt,
      notifiedCount: known?.notifiedCount ?? 0,
      toldState: known?.toldState ?? null,
      toldAt: known?.toldAt ?? null,
      toldSteps: known?.toldSteps ?? [],
    },
  };
}

async function observe(rule: AlertRule, numbers: RuleNumbers): Promise<readonly Observation[]> {
  const { nowMs } = numbers;
  const perAgent = rule.groupBy.includes('agent');
  switch (rule.kind) {
    case 'event':
      return [];
    case 'threshold': {
      const counts = await numbers.countFacts(rule.metric, rule.windowMs);
      if (counts === undefined) return [];
      return grouped(counts, perAgent).map(([agent, value]) => ({
        ...{ labels: { agent }, evaluation: evaluateThreshold(rule, value) },
        detail: { metric: rule.metric, value, limit: rule.value },
      }));
    }
    case 'ratio': {
      const [above, below] = await Promise.all([
        numbers.countFacts(rule.numerator, rule.windowMs),
        numbers.countFacts(rule.denominator, rule.windowMs),
      ]);
      if (above === undefined || below === undefined) return [];
      const tops = new Map(grouped(above, perAgent));
      return grouped(below, perAgent).map(([agent, total]) => ({
        ...{ labels: { agent }, evaluation: evaluateRatio(rule, tops.get(agent) ?? 0, total) },
        detail: { metric: rule.numerator, value: tops.get(agent) ?? 0, of: total, limit: rule.value },
      }));
    }
    case 'absence':
      return [...(await numbers.agentsLastSeen())].map(([agent, at]) => ({
        ...{ labels: { agent }, evaluation: evaluateAbsence(rule, at, nowMs) },
        detail: { last_seen_at: new Date(at).toISOString() },
      }));
    case 'age':
      return (await numbers.oldestOpenRefusals()).map(({ agentId, code, groupId, at }) => ({
        ...{ labels: { agent: agentId, code }, evaluation: evaluateAge(rule, at, nowMs) },
        detail: { code, subject: groupId, since: new Date(at).toISOString() },
      }));
  }
}

function grouped(counts: ReadonlyMap<string, number>, perAgent: boolean): readonly (readonly [string, number])[] {
  if (perAgent) return [...counts];
  return [['', [...counts.values()].reduce((sum, count) => sum + count, 0)]];
}
