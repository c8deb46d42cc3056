import fc from 'fast-check';
import {
  advance,
  type AlertInstance,
  INACTIVE_INSTANCE,
  type InstanceSignal,
  type InstanceState,
  type InstanceTiming,
} from './alert-instance';
import { fingerprint } from './fingerprint';

const AT_ONCE: InstanceTiming = { forMs: 0, keepFiringForMs: null };
const PATIENT: InstanceTiming = { forMs: 600, keepFiringForMs: 300 };

/** The states and the actions that a run of signals leads through. */
function run(timing: InstanceTiming, signals: readonly InstanceSignal[]) {
  let instance: AlertInstance = INACTIVE_INSTANCE;
  const told: string[] = [];
  const states: InstanceState[] = [];
  for (const signal of signals) {
    const step = advance(instance, signal, timing);
    ({ instance } = step);
    states.push(instance.state);
    if (step.action !== null) told.push(step.action);
  }
  return { instance, told, states };
}

const holds = (at: number, occurrences = 1): InstanceSignal => ({ kind: 'holds', at, occurrences });
const clears = (at: number): InstanceSignal => ({ kind: 'clears', at });
const passes = (at: number): InstanceSignal => ({ kind: 'passes', at });

it('An event fires at once; the same again is counted and not told anew', () => {
  const { instance, told } = run(AT_ONCE, [holds(10), holds(20), holds(30, 5)]);
  expect(told).toEqual(['trigger']);
  expect(instance).toMatchObject({ state: 'firing', occurrences: 7, firstSeenAt: 10, lastSeenAt: 30, firedAt: 10 });
});

it('A condition fires after it has held for its time, without a break', () => {
  expect(run(PATIENT, [holds(0), holds(500), holds(600)])).toMatchObject({
    states: ['pending', 'pending', 'firing'],
    told: ['trigger'],
  });
  expect(run(PATIENT, [holds(0), clears(500), holds(600), holds(1_100)])).toMatchObject({
    states: ['pending', 'inactive', 'pending', 'pending'],
    told: [],
  });
  expect(run(PATIENT, [holds(0), passes(600)]).told).toEqual(['trigger']);
});

it('It resolves after it has been clear for its time; a flicker does not resolve it', () => {
  const fired = [holds(0), holds(600)];
  expect(run(PATIENT, [...fired, clears(700), holds(800), clears(900), passes(1_100)]).told).toEqual(['trigger']);
  expect(run(PATIENT, [...fired, clears(700), passes(1_000)])).toMatchObject({
    told: ['trigger', 'resolve'],
    instance: { state: 'resolved', resolvedAt: 1_000, resolvedBy: null },
  });
});

it('An event’s alert does not clear by itself: somebody, or the event that ends it, resolves it', () => {
  expect(run(AT_ONCE, [holds(0), clears(1), passes(1e12)]).instance.state).toBe('firing');
  expect(run(AT_ONCE, [holds(0), { kind: 'resolved', at: 5, by: 'ann' }]).instance).toMatchObject({
    state: 'resolved',
    resolvedBy: 'ann',
  });
});

it('Acknowledging is told once, and does not keep an alert from resolving', () => {
  const acknowledged: InstanceSignal = { kind: 'acknowledged', at: 5, by: 'ann' };
  const { told, instance } = run(AT_ONCE, [
    holds(0),
    acknowledged,
    acknowledged,
    holds(6),
    { kind: 'resolved', at: 7, by: null },
  ]);
  expect(told).toEqual(['trigger', 'acknowledge', 'resolve']);
  expect(instance).toMatchObject({ acknowledgedBy: 'ann', occurrences: 2 });
});

it('What never fired can be neither acknowledged nor resolved', () => {
  const signals: InstanceSignal[] = [
    { kind: 'acknowledged', at: 0, by: 'a' },
    { kind: 'resolved', at: 1, by: 'a' },
  ];
  expect(run(PATIENT, signals).instance).toEqual(INACTIVE_INSTANCE);
  expect(run(PATIENT, [holds(0), ...signals]).instance.state).toBe('pending');
});

const FOLLOWS: Readonly<Record<InstanceState, readonly InstanceState[]>> = {
  inactive: ['inactive', 'pending', 'firing'],
  pending: ['inactive', 'pending', 'firing'],
  firing: ['firing', 'acknowledged', 'resolved'],
  acknowledged: ['acknowledged', 'resolved'],
  resolved: ['resolved'],
};

it('For any signals: states follow the diagram, each action is told at most once and in order, counts never shrink', () => {
  const wait = fc.nat(400);
  const signal = fc.oneof(
    fc.record({ kind: fc.constant('holds' as const), wait, occurrences: fc.nat(3) }),
    fc.record({ kind: fc.constantFrom('clears' as const, 'passes' as const), wait }),
    fc.record({ kind: fc.constantFrom('acknowledged' as const, 'resolved' as const), wait, by: fc.constant('ann') }),
  );
  const timing = fc.record({ forMs: fc.nat(500), keepFiringForMs: fc.option(fc.nat(500)) });
  fc.assert(
    fc.property(fc.array(signal, { maxLength: 40 }), timing, (drawn, drawnTiming) => {
      let instance: AlertInstance = INACTIVE_INSTANCE;
      let at = 0;
      const told: string[] = [];
      for (const { wait: waited, ...rest } of drawn) {
        at += waited;
        const step = advance(instance, { ...rest, at } as InstanceSignal, drawnTiming);
        expect(FOLLOWS[instance.state]).toContain(step.instance.state);
        if (step.instance.state !== 'inactive')
          expect(step.instance.occurrences).toBeGreaterThanOrEqual(instance.occurrences);
        if (instance.state === 'resolved') expect(step.instance).toBe(instance);
        if (step.action !== null) told.push(step.action);
        ({ instance } = step);
      }
      expect(['', 'trigger', 'trigger,acknowledge', 'trigger,resolve', 'trigger,acknowledge,resolve']).toContain(
        told.join(),
      );
      const live = ['firing', 'acknowledged', 'resolved'].includes(instance.state);
      expect(told.includes('trigger')).toBe(live);
      expect(told.includes('resolve')).toBe(instance.state === 'resolved');
      expect((instance.resolvedAt ?? Infinity) >= (instance.firedAt ?? 0)).toBe(true);
    }),
  );
});

describe('The fingerprint', () => {
  it('is that of rule and labels, in any order', () => {
    expect(fingerprint('r', { a: '1', b: '2' })).toBe(fingerprint('r', { b: '2', a: '1' }));
    expect(fingerprint('r', {})).toMatch(/^[0-9a-f]{64}$/);
  });

  it('differs for all that differs', () => {
    const labels = fc.dictionary(fc.string({ maxLength: 3 }), fc.string({ maxLength: 3 }), { maxKeys: 3 });
    const sorted = (given: Record<string, string>) => JSON.stringify(Object.entries(given).sort());
    fc.assert(
      fc.property(fc.string({ maxLength: 2 }), labels, fc.string({ maxLength: 2 }), labels, (ruleA, a, ruleB, b) => {
        const same = ruleA === ruleB && sorted(a) === sorted(b);
        expect(fingerprint(ruleA, a) === fingerprint(ruleB, b)).toBe(same);
      }),
    );
  });
});
