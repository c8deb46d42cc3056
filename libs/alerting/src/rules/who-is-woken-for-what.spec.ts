import type { AlertType } from '../alert-notification';
import type { AbsenceRule, AgeRule, RatioRule, ThresholdRule } from './alert-rule';
import { evaluateAbsence, evaluateAge, evaluateRatio, evaluateThreshold, eventFires } from './evaluate-rule';
import { STANDARD_RULES } from './standard-rules';

const BASE = {
  name: '',
  severity: 'ticket',
  type: 'rule.threshold_crossed',
  groupBy: [],
  forMs: 0,
  keepFiringForMs: 0,
} as const;

function severitiesOf(type: AlertType, labels: Record<string, string> = {}): string[] {
  return STANDARD_RULES.filter((rule) => rule.kind === 'event' && eventFires(rule, { type, labels })).map(
    ({ severity }) => severity,
  );
}

it.each<[AlertType, Record<string, string>, string[]]>([
  ['session.headroom_low', {}, ['page']],
  ['effect.outcome_unknown', { keyed: 'true' }, ['page']],
  ['effect.outcome_unknown', { keyed: 'false' }, []],
  ['effect.outcome_unknown', {}, []],
  ['compaction.refused', { code: 'BUDGET_UNREACHABLE' }, ['ticket']],
  ['compaction.failed', {}, ['ticket']],
  ['drift.detected', {}, ['ticket']],
  ['effect.duplicate_blocked', {}, ['count']],
  ['compaction.held', {}, ['count']],
  ['compaction.refusal_resolved', {}, []],
])('%s %j: %j', (type, labels, severities) => {
  expect(severitiesOf(type, labels)).toEqual(severities);
});

it('Refusals are told apart by agent, code and cause; names of rules are unique', () => {
  const refused = STANDARD_RULES.find((rule) => rule.type === 'compaction.refused');
  expect(refused?.groupBy).toEqual(['agent', 'code', 'cause']);
  expect(new Set(STANDARD_RULES.map(({ name }) => name)).size).toBe(STANDARD_RULES.length);
});

describe('A threshold', () => {
  const rule: ThresholdRule = {
    ...BASE,
    kind: 'threshold',
    metric: 'm',
    windowMs: 1,
    op: '>=',
    value: 10,
    withoutObservations: 'keep',
  };

  it.each([
    ['>', 10, 'clears'],
    ['>=', 10, 'holds'],
    ['<', 9, 'holds'],
    ['<=', 11, 'clears'],
  ] as const)('%s 10 with %d: %s', (op, value, verdict) => {
    expect(evaluateThreshold({ ...rule, op }, value)).toEqual({ verdict, value });
  });

  it.each([
    ['clear', 'clears'],
    ['fire', 'holds'],
    ['keep', 'keep'],
  ] as const)('without observations: %s', (withoutObservations, verdict) => {
    for (const value of [null, Number.NaN, Infinity]) {
      expect(evaluateThreshold({ ...rule, withoutObservations }, value)).toEqual({ verdict, value: null });
    }
  });
});

it('A ratio needs enough to be one', () => {
  const rule: RatioRule = {
    ...BASE,
    kind: 'ratio',
    numerator: 'a',
    denominator: 'b',
    windowMs: 1,
    op: '>',
    value: 0.05,
    fewestInDenominator: 20,
  };
  expect(evaluateRatio(rule, 1, 1)).toEqual({ verdict: 'clears', value: null });
  expect(evaluateRatio(rule, 2, 20)).toEqual({ verdict: 'holds', value: 0.1 });
  expect(evaluateRatio(rule, 1, 20)).toEqual({ verdict: 'clears', value: 0.05 });
  expect(evaluateRatio({ ...rule, fewestInDenominator: 0 }, 0, 0)).toEqual({ verdict: 'clears', value: null });
  expect(evaluateRatio(rule, Number.NaN, 20)).toEqual({ verdict: 'keep', value: null });
});

it('Absence is the silence of what used to speak', () => {
  const rule: AbsenceRule = { ...BASE, kind: 'absence', silentForMs: 100 };
  expect(evaluateAbsence(rule, null, 1e9).verdict).toBe('clears');
  expect(evaluateAbsence(rule, 0, 99).verdict).toBe('clears');
  expect(evaluateAbsence(rule, 0, 100)).toEqual({ verdict: 'holds', value: 100 });
  expect(evaluateAbsence(rule, 500, 100)).toEqual({ verdict: 'clears', value: 0 });
});

it('Age is that of the oldest that is open', () => {
  const rule: AgeRule = { ...BASE, kind: 'age', subject: 's', olderThanMs: 100 };
  expect(evaluateAge(rule, null, 1e9)).toEqual({ verdict: 'clears', value: null });
  expect(evaluateAge(rule, 0, 100).verdict).toBe('clears');
  expect(evaluateAge(rule, 0, 101)).toEqual({ verdict: 'holds', value: 101 });
});
