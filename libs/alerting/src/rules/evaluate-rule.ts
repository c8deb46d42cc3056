import type { AlertType } from '../alert-notification';
import type { Labels } from '../instances/fingerprint';
import { meetsAll } from '../instances/matcher';
import type {
  AbsenceRule,
  AgeRule,
  Comparison,
  EventRule,
  RatioRule,
  ThresholdRule,
  WithoutObservations,
} from './alert-rule';

export interface AlertEvent {
  readonly type: AlertType;
  readonly labels: Labels;
}

/** `keep`: nothing can be said, so the alert stays as it is. `value` is what was compared. */
export interface Evaluation {
  readonly verdict: 'holds' | 'clears' | 'keep';
  readonly value: number | null;
}

const COMPARE: Readonly<Record<Comparison, (a: number, b: number) => boolean>> = {
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
};

const UNOBSERVED = { clear: 'clears', fire: 'holds', keep: 'keep' } as const satisfies Record<
  WithoutObservations,
  string
>;

function verdictOf(holds: boolean, value: number): Evaluation {
  return { verdict: holds ? 'holds' : 'clears', value };
}

const NOTHING_TO_SAY: Evaluation = { verdict: 'keep', value: null };

export function eventFires(rule: EventRule, event: AlertEvent): boolean {
  return rule.eventTypes.includes(event.type) && meetsAll({ ...event.labels, type: event.type }, rule.matchers);
}

/** @param value of the metric over the rule's window; null when nothing was observed */
export function evaluateThreshold(rule: ThresholdRule, value: number | null): Evaluation {
  if (value === null || !Number.isFinite(value)) return { verdict: UNOBSERVED[rule.withoutObservations], value: null };
  return verdictOf(COMPARE[rule.op](value, rule.value), value);
}

/** Below the fewest, one bad pass in a quiet night would be a rate of 100 %. */
export function evaluateRatio(rule: RatioRule, numerator: number, denominator: number): Evaluation {
  if (!Number.isFinite(numerator) || !Number.isFinite(denominator)) return NOTHING_TO_SAY;
  if (denominator <= 0 || denominator < rule.fewestInDenominator) return { verdict: 'clears', value: null };
  const share = numerator / denominator;
  return verdictOf(COMPARE[rule.op](share, rule.value), share);
}

/** @param lastSeenAt null for what was never seen: its silence is no news */
export function evaluateAbsence(rule: AbsenceRule, lastSeenAt: number | null, nowMs: number): Evaluation {
  if (lastSeenAt === null) return { verdict: 'clears', value: null };
  const silentMs = Math.max(0, nowMs - lastSeenAt);
  return verdictOf(silentMs >= rule.silentForMs, silentMs);
}

/** @param oldestAt of what is open; null when nothing is */
export function evaluateAge(rule: AgeRule, oldestAt: number | null, nowMs: number): Evaluation {
  if (oldestAt === null) return { verdict: 'clears', value: null };
  const ageMs = Math.max(0, nowMs - oldestAt);
  return verdictOf(ageMs > rule.olderThanMs, ageMs);
}
