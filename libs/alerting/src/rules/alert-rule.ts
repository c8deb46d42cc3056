import type { AlertSeverity, AlertType } from '../alert-notification';
import type { LabelMatcher } from '../instances/matcher';

export const RULE_KINDS = ['event', 'threshold', 'ratio', 'absence', 'age'] as const;
export type RuleKind = (typeof RULE_KINDS)[number];

export type Comparison = '>' | '>=' | '<' | '<=';

interface RuleBase {
  readonly name: string;
  readonly severity: AlertSeverity;
  /** The type that its notifications bear. */
  readonly type: AlertType;
  /** Labels that tell its alerts apart: one alert, and one message, per combination. */
  readonly groupBy: readonly string[];
  readonly forMs: number;
  /** Null: only somebody, or the event that ends it, resolves the alert. */
  readonly keepFiringForMs: number | null;
}

/** Fires for every event of its types that meets the matchers. */
export interface EventRule extends RuleBase {
  readonly kind: 'event';
  readonly eventTypes: readonly AlertType[];
  readonly matchers: readonly LabelMatcher[];
}

/** What to make of a window of time without a single observation. */
export type WithoutObservations = 'clear' | 'fire' | 'keep';

/** Fires while a number over a window of time is beyond a limit. */
export interface ThresholdRule extends RuleBase {
  readonly kind: 'threshold';
  readonly metric: string;
  readonly windowMs: number;
  readonly op: Comparison;
  readonly value: number;
  readonly withoutObservations: WithoutObservations;
}

/** Fires while a share is beyond a limit, once there is enough to speak of a share. */
export interface RatioRule extends RuleBase {
  readonly kind: 'ratio';
  readonly numerator: string;
  readonly denominator: string;
  readonly windowMs: number;
  readonly op: Comparison;
  readonly value: number;
  readonly fewestInDenominator: number;
}

/** Fires when what used to come does not come any more. */
export interface AbsenceRule extends RuleBase {
  readonly kind: 'absence';
  readonly silentForMs: number;
}

/** Fires while the oldest open thing of a kind is older than it may be. */
export interface AgeRule extends RuleBase {
  readonly kind: 'age';
  readonly subject: string;
  readonly olderThanMs: number;
}

export type AlertRule = EventRule | ThresholdRule | RatioRule | AbsenceRule | AgeRule;
