import type { AbsenceRule, AgeRule, EventRule, RatioRule, ThresholdRule } from './alert-rule';
import { previewRule } from './preview-rule';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const START = Date.parse('2026-11-24T00:00:00Z');
const WEEK = { fromMs: START, toMs: START + 7 * DAY };
const USUAL = { name: 'r', severity: 'ticket', groupBy: ['agent'], forMs: 0, keepFiringForMs: HOUR } as const;

const REFUSED: EventRule = {
  ...{ ...USUAL, kind: 'event', type: 'compaction.refused', eventTypes: ['compaction.refused'] },
  matchers: [{ label: 'code', op: '!=', value: 'PROOF_FAILED' }],
};

function refusal(at: number, agent = 'a', code = 'AMBIGUOUS_ELEMENT') {
  return { type: 'compaction.refused', labels: { agent, code }, atMs: START + at } as const;
}

it('events close together are one alert for each group, and later ones another', () => {
  const events = [
    refusal(0),
    refusal(10 * MINUTE),
    refusal(20 * MINUTE, 'b'),
    refusal(50 * MINUTE, 'c', 'PROOF_FAILED'),
    refusal(3 * DAY),
  ];
  const preview = previewRule(REFUSED, { kind: 'events', events }, WEEK);
  expect(preview).toMatchObject({
    ...{ alerts: 3, occurrences: 4 },
    groups: [
      { labels: { agent: 'a' }, alerts: 2, occurrences: 3 },
      { labels: { agent: 'b' }, alerts: 1, occurrences: 1 },
    ],
  });
  expect(preview.days).toHaveLength(7);
  expect(preview.days[3]).toEqual({ day: '2026-11-27', alerts: 1, occurrences: 1 });
});

it('what only somebody ends is one alert while it comes every day', () => {
  const events = [0, 20, 40, 100].map((hour) => refusal(hour * HOUR));
  const rule: EventRule = { ...REFUSED, keepFiringForMs: null };
  expect(previewRule(rule, { kind: 'events', events }, WEEK)).toMatchObject({ alerts: 2, occurrences: 4 });
});

const MANY: ThresholdRule = {
  ...{ ...USUAL, kind: 'threshold', type: 'rule.threshold_crossed', metric: 'passes_refused', op: '>', value: 4 },
  ...{ windowMs: HOUR, withoutObservations: 'clear' },
};

it('a number is beyond its limit for as long as its window says so', () => {
  const minute = (at: number, count: number) => ({
    ...{ metric: 'passes_refused', agent: 'a', atMs: START + at, count },
  });
  const counts = [minute(DAY, 3), minute(DAY + 10 * MINUTE, 3), minute(4 * DAY, 4), minute(5 * DAY, 9)];
  const seen = { kind: 'counts', counts } as const;
  expect(previewRule(MANY, seen, WEEK)).toMatchObject({ alerts: 2, occurrences: 2 });
  expect(previewRule({ ...MANY, forMs: 55 * MINUTE }, seen, WEEK)).toMatchObject({ alerts: 1, occurrences: 2 });
  expect(previewRule({ ...MANY, forMs: 2 * HOUR }, seen, WEEK)).toMatchObject({ alerts: 0, occurrences: 2 });
});

it('a share needs enough to speak of a share, over all agents where no label parts them', () => {
  const rule: RatioRule = {
    ...{ ...USUAL, kind: 'ratio', type: 'rule.threshold_crossed', windowMs: HOUR, op: '>', value: 0.1 },
    ...{ numerator: 'passes_refused', denominator: 'passes', fewestInDenominator: 20, groupBy: [] },
  };
  const minutes = (at: number, agent: string, passes: number, refused: number) =>
    (
      [
        ['passes', passes],
        ['passes_refused', refused],
      ] as const
    ).map(([metric, count]) => ({ metric, agent, atMs: START + at, count }));
  const quiet = minutes(HOUR, 'a', 5, 5);
  expect(previewRule(rule, { kind: 'counts', counts: quiet }, WEEK)).toMatchObject({ alerts: 0 });
  const busy = [...quiet, ...minutes(2 * DAY, 'a', 15, 2), ...minutes(2 * DAY, 'b', 15, 2)];
  expect(previewRule(rule, { kind: 'counts', counts: busy }, WEEK)).toMatchObject({
    ...{ alerts: 1, groups: [{ labels: {}, alerts: 1 }] },
  });
});

it('silence and age count from when they began, also before the period', () => {
  const silent: AbsenceRule = { ...USUAL, kind: 'absence', type: 'agent.silent', silentForMs: DAY };
  const spans = [
    { labels: { agent: 'a' }, fromMs: START - HOUR, toMs: START + 2 * DAY },
    { labels: { agent: 'b' }, fromMs: START + DAY, toMs: START + DAY + HOUR },
    { labels: { agent: 'c' }, fromMs: START - 3 * DAY, toMs: START + DAY },
  ];
  expect(previewRule(silent, { kind: 'spans', spans }, WEEK)).toMatchObject({ alerts: 1, occurrences: 1 });
  const old: AgeRule = {
    ...USUAL,
    kind: 'age',
    type: 'refusal.unattended',
    subject: 'refusal_group',
    olderThanMs: HOUR,
  };
  expect(previewRule(old, { kind: 'spans', spans }, WEEK)).toMatchObject({ alerts: 1 });
});

it('thirty days of a thousand agents are looked at in a bounded number of steps', () => {
  const month = { fromMs: START, toMs: START + 30 * DAY };
  const counts = Array.from({ length: 100_000 }, (_, at) => ({
    ...{ metric: 'passes_refused', agent: `agent-${at % 1_000}`, atMs: START + at * 25_000, count: 1 },
  }));
  expect(previewRule({ ...MANY, windowMs: MINUTE }, { kind: 'counts', counts }, month).alerts).toBe(0);
});
