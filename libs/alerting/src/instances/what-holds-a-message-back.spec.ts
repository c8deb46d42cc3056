import { INACTIVE_INSTANCE } from './alert-instance';
import { escalationDue } from './escalation';
import { groupLabels } from './fingerprint';
import { DEFAULT_GROUP_POLICIES, groupDecision, type GroupState } from './group-policy';
import { isInhibited, STANDARD_INHIBITIONS } from './inhibition';
import { meetsAll, matcherProblem, type LabelMatcher } from './matcher';
import { silencedBy, silenceProblems } from './silence';

const LABELS = { agent: 'billing-bot', code: 'AMBIGUOUS_ELEMENT', type: 'compaction.refused' };
const DAY = 86_400_000;

describe('Matchers', () => {
  it.each<[LabelMatcher, boolean]>([
    [{ label: 'agent', op: '=', value: 'billing-bot' }, true],
    [{ label: 'agent', op: '=', value: 'billing' }, false],
    [{ label: 'agent', op: '!=', value: 'billing' }, true],
    [{ label: 'agent', op: '=~', value: 'billing-.*' }, true],
    [{ label: 'agent', op: '=~', value: 'bot' }, false],
    [{ label: 'agent', op: '!~', value: 'ops-.*' }, true],
    [{ label: 'session', op: '=', value: '' }, true],
    [{ label: 'session', op: '=~', value: '.+' }, false],
    [{ label: 'agent', op: '=~', value: '(' }, false],
    [{ label: 'agent', op: '!~', value: '(' }, false],
    [{ label: '__proto__', op: '=', value: '' }, true],
    [{ label: 'constructor', op: '!=', value: '' }, false],
  ])('%j: %s', (matcher, expected) => {
    expect(meetsAll(LABELS, [matcher])).toBe(expected);
  });

  it('a wrong one is told with its reason', () => {
    expect(matcherProblem({ label: 'agent', op: '=~', value: 'a{3}' })).toContain('Counted repetition');
    expect(matcherProblem({ label: 'Agent', op: '=', value: '' })).toContain('label');
    expect(matcherProblem({ label: 'agent', op: '!~', value: 'a|b' })).toBeNull();
  });
});

describe('A silence', () => {
  const silence = {
    matchers: [{ label: 'agent', op: '=' as const, value: 'billing-bot' }],
    startsAt: 100,
    endsAt: 200,
    comment: 'deploy',
    author: 'ann',
  };

  it('covers its labels from its start to before its end', () => {
    expect([99, 100, 199, 200].map((now) => silencedBy(LABELS, [silence], now) !== null)).toEqual([
      false,
      true,
      true,
      false,
    ]);
    expect(silencedBy({ agent: 'ops' }, [silence], 150)).toBeNull();
    expect(silencedBy(LABELS, [{ ...silence, matchers: [] }], 150)).toBeNull();
  });

  const pathsOf = (change: Partial<typeof silence>, isAdministrator = false) =>
    silenceProblems({ ...silence, ...change }, 50, isAdministrator).map(({ path }) => path);

  it('needs matchers that ask for something, an end, a comment and an author', () => {
    expect(pathsOf({})).toEqual([]);
    expect(pathsOf({ matchers: [], comment: ' ', author: '' })).toEqual(['$.matchers', '$.comment', '$.author']);
    expect(pathsOf({ matchers: [{ label: 'agent', op: '=', value: '' }] })).toEqual(['$.matchers']);
    expect(pathsOf({ endsAt: 100 })).toEqual(['$.ends_at']);
    expect(pathsOf({ startsAt: 10, endsAt: 40 })).toEqual(['$.ends_at']);
    expect(pathsOf({ endsAt: Number.NaN })).toEqual(['$.ends_at']);
    expect(pathsOf({ endsAt: 31 * DAY })).toEqual(['$.ends_at']);
    expect(pathsOf({ endsAt: 31 * DAY }, true)).toEqual([]);
  });
});

describe('Inhibition', () => {
  const silent = { type: 'agent.silent', agent: 'a' };

  it('a degraded platform holds back that agents are silent, and nothing else', () => {
    const degraded = { type: 'platform.degraded' };
    expect(isInhibited(silent, [degraded, silent], STANDARD_INHIBITIONS)).toBe(true);
    expect(isInhibited(silent, [silent], STANDARD_INHIBITIONS)).toBe(false);
    expect(isInhibited(LABELS, [degraded], STANDARD_INHIBITIONS)).toBe(false);
  });

  it('asks for equal labels where it says so, and no alert holds back its like', () => {
    const any = [{ label: 'agent', op: '=~' as const, value: '.*' }];
    const rule = { source: [{ label: 'severity', op: '=' as const, value: 'page' }], target: any, equal: ['agent'] };
    const page = { severity: 'page', agent: 'a' };
    expect(isInhibited(silent, [page], [{ ...rule, target: [{ label: 'severity', op: '=', value: '' }] }])).toBe(true);
    expect(
      isInhibited(
        silent,
        [{ ...page, agent: 'b' }],
        [{ ...rule, target: [{ label: 'severity', op: '=', value: '' }] }],
      ),
    ).toBe(false);
    expect(isInhibited({ ...page, x: '1' }, [page], [rule])).toBe(false);
  });
});

describe('Groups', () => {
  const MINUTE = 60_000;
  const { page, ticket } = DEFAULT_GROUP_POLICIES;
  const fresh: GroupState = {
    firstFiredAt: 0,
    lastToldAt: null,
    occurrences: 1,
    occurrencesTold: 0,
    acknowledged: false,
  };
  const told: GroupState = { ...fresh, lastToldAt: 0, occurrencesTold: 1 };

  it('a page waits for nobody, a ticket for half a minute', () => {
    expect(groupDecision(fresh, page, 0)).toEqual({ kind: 'tell', reason: 'first' });
    expect(groupDecision(fresh, ticket, 0)).toEqual({ kind: 'wait', untilMs: 30_000 });
    expect(groupDecision(fresh, ticket, 30_000)).toEqual({ kind: 'tell', reason: 'first' });
  });

  it('what only counts is told to nobody', () => {
    expect(DEFAULT_GROUP_POLICIES.count).toBeNull();
  });

  it('what grew is told again after the interval, what did not after the repeat', () => {
    const grown = { ...told, occurrences: 2 };
    expect(groupDecision(grown, page, MINUTE)).toEqual({ kind: 'wait', untilMs: 5 * MINUTE });
    expect(groupDecision(grown, page, 5 * MINUTE)).toEqual({ kind: 'tell', reason: 'grown' });
    expect(groupDecision(told, page, 5 * MINUTE)).toEqual({ kind: 'wait', untilMs: 240 * MINUTE });
    expect(groupDecision(told, page, 240 * MINUTE)).toEqual({ kind: 'tell', reason: 'repeat' });
    expect(groupDecision(told, { ...page, repeatIntervalMs: null }, 240 * MINUTE)).toEqual({ kind: 'rest' });
  });

  it('whoever acknowledged is left in peace', () => {
    expect(groupDecision({ ...told, occurrences: 9, acknowledged: true }, page, 1e12)).toEqual({ kind: 'rest' });
  });

  it('labels that a rule groups by and an event lacks are empty', () => {
    expect(groupLabels({ agent: 'a', x: '1' }, ['agent', 'code', '__proto__'])).toEqual(
      Object.fromEntries([
        ['agent', 'a'],
        ['code', ''],
        ['__proto__', ''],
      ]),
    );
  });
});

describe('Escalation', () => {
  const steps = [
    { afterMs: 0, channelIds: ['chat'] },
    { afterMs: 900, channelIds: ['pager'] },
    { afterMs: 3_600, channelIds: ['boss'] },
  ];
  const firing = { ...INACTIVE_INSTANCE, state: 'firing' as const, firedAt: 100 };

  it('goes on from step to step while nobody acts', () => {
    expect(escalationDue(steps, firing, new Set(), 100)).toEqual({ due: [0], nextAt: 1_000 });
    expect(escalationDue(steps, firing, new Set([0]), 999)).toEqual({ due: [], nextAt: 1_000 });
    expect(escalationDue(steps, firing, new Set([0]), 1_000)).toEqual({ due: [1], nextAt: 3_700 });
    expect(escalationDue(steps, firing, new Set(), 1e9)).toEqual({ due: [0, 1, 2], nextAt: null });
  });

  it.each(['acknowledged', 'resolved', 'pending'] as const)('stops when the alert is %s', (state) => {
    expect(escalationDue(steps, { ...firing, state }, new Set(), 1e9)).toEqual({ due: [], nextAt: null });
  });
});
