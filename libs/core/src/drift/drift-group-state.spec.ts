import fc from 'fast-check';
import {
  afterOccurrence,
  afterTime,
  type DriftGroupState,
  type DriftRate,
  ESCALATION_FACTOR,
  escalationThreshold,
  LEAST_ESCALATING,
} from './drift-group-state';

const HOUR = 3_600_000;
const NOW = 1_000 * HOUR;

const states: fc.Arbitrary<DriftGroupState> = fc.oneof(
  fc.record({
    name: fc.constantFrom('new', 'ongoing', 'escalating', 'regressed'),
    sinceMs: fc.integer({ min: 0, max: 2 * NOW }),
  }),
  fc.record({
    name: fc.constant('archived' as const),
    until: fc.oneof(
      fc.record({ kind: fc.constant('time' as const), atMs: fc.integer({ min: 0, max: 2 * NOW }) }),
      fc.record({ kind: fc.constant('count' as const), count: fc.integer({ min: 1, max: 50 }) }),
      fc.constant({ kind: 'escalates' as const }),
    ),
  }),
  fc.constant({ name: 'resolved' as const }),
);
const rates = fc.constantFrom<DriftRate>('above', 'between', 'below');

function occurred(state: DriftGroupState, rate: DriftRate, count = 5): DriftGroupState {
  return afterOccurrence(state, { nowMs: NOW, count, rate });
}

describe('an occurrence', () => {
  it('brings a resolved group back as regressed, whatever its rate', () => {
    fc.assert(
      fc.property(rates, (rate) => {
        expect(occurred({ name: 'resolved' }, rate).name).toBe('regressed');
      }),
    );
  });

  it('never leaves a group resolved, and never makes one new, archived or resolved', () => {
    fc.assert(
      fc.property(states, rates, fc.integer({ min: 1, max: 100 }), (state, rate, count) => {
        const next = occurred(state, rate, count);
        expect(next.name).not.toBe('resolved');
        if (next.name !== state.name) expect(['regressed', 'escalating', 'ongoing']).toContain(next.name);
      }),
    );
  });

  it('does nothing the second time at the same moment, count and rate', () => {
    fc.assert(
      fc.property(states, rates, (state, rate) => {
        const once = occurred(state, rate);
        // A group that has just come back may escalate by its next occurrence.
        fc.pre(once.name === state.name);
        expect(occurred(once, rate)).toEqual(once);
      }),
    );
  });

  it('wakes an archived group by its own condition only', () => {
    const until = (condition: Extract<DriftGroupState, { name: 'archived' }>['until']): DriftGroupState => ({
      name: 'archived',
      until: condition,
    });
    expect(occurred(until({ kind: 'count', count: 5 }), 'below', 4).name).toBe('archived');
    expect(occurred(until({ kind: 'count', count: 5 }), 'above', 5).name).toBe('ongoing');
    expect(occurred(until({ kind: 'time', atMs: NOW + 1 }), 'above').name).toBe('archived');
    expect(occurred(until({ kind: 'time', atMs: NOW }), 'below').name).toBe('ongoing');
    expect(occurred(until({ kind: 'escalates' }), 'between').name).toBe('archived');
    expect(occurred(until({ kind: 'escalates' }), 'above').name).toBe('escalating');
  });

  it('escalates by a rate above, and ends that only by one below', () => {
    const escalating = occurred({ name: 'ongoing', sinceMs: 0 }, 'above');
    expect(escalating).toEqual({ name: 'escalating', sinceMs: NOW });
    expect(occurred(escalating, 'between')).toBe(escalating);
    expect(occurred(escalating, 'below').name).toBe('ongoing');
  });
});

describe('the passing of time', () => {
  it('only ever leads to ongoing, and is the same in one step as in two', () => {
    fc.assert(
      fc.property(
        states,
        fc.integer({ min: 0, max: NOW }),
        fc.integer({ min: 0, max: NOW }),
        fc.integer({ min: 0, max: NOW }),
        (state, lastSeenMs, first, more) => {
          const later = first + more;
          const whole = afterTime(state, { nowMs: later, lastSeenMs });
          const stepped = afterTime(afterTime(state, { nowMs: first, lastSeenMs }), { nowMs: later, lastSeenMs });
          expect(stepped.name).toBe(whole.name);
          if (whole.name !== state.name) expect(whole.name).toBe('ongoing');
        },
      ),
    );
  });

  it('leaves what is resolved, or archived until something happens, as it is', () => {
    const never = { nowMs: Number.MAX_SAFE_INTEGER, lastSeenMs: 0 };
    for (const state of [
      { name: 'resolved' },
      { name: 'archived', until: { kind: 'count', count: 3 } },
      { name: 'archived', until: { kind: 'escalates' } },
    ] satisfies DriftGroupState[]) {
      expect(afterTime(state, never)).toBe(state);
    }
  });
});

describe('the rate that escalates', () => {
  it('is the smallest one of at least ten that is four times the mean of the hours before', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000_000 }), fc.integer({ min: 1, max: 10_000 }), (count, hours) => {
        const threshold = escalationThreshold(count, NOW - (hours + 1) * HOUR, NOW) ?? NaN;
        const isAbove = (recent: number): boolean => recent * hours >= ESCALATION_FACTOR * (count - recent);
        expect(threshold).toBeGreaterThanOrEqual(LEAST_ESCALATING);
        expect(isAbove(threshold)).toBe(true);
        if (threshold > LEAST_ESCALATING) expect(isAbove(threshold - 1)).toBe(false);
      }),
    );
  });

  it('is none while the group has hardly a past', () => {
    expect(escalationThreshold(500, NOW - HOUR, NOW)).toBeUndefined();
    expect(escalationThreshold(500, NOW - 2 * HOUR, NOW)).toBe(400);
  });
});
