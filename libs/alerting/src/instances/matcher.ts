import type { Labels } from './fingerprint';
import { type LinearPattern, linearPattern, PatternError } from './linear-pattern';

export const MATCHER_OPERATORS = ['=', '!=', '=~', '!~'] as const;
export type MatcherOperator = (typeof MATCHER_OPERATORS)[number];

/** One condition on a label; an absent label is the empty text. A wire object. */
export interface LabelMatcher {
  readonly label: string;
  readonly op: MatcherOperator;
  readonly value: string;
}

/** What is wrong with a matcher, in words; null when nothing is. */
export function matcherProblem({ label, op, value }: LabelMatcher): string | null {
  if (!/^[a-z_][a-z0-9_]{0,63}$/.test(label)) return 'a label is named by lower-case letters, digits and _';
  if (op === '=' || op === '!=') return null;
  try {
    linearPattern(value);
    return null;
  } catch (error) {
    if (error instanceof PatternError) return error.message;
    throw error;
  }
}

/** A stored pattern that is none matches nothing: it can neither silence nor fire. */
function storedPattern(value: string): LinearPattern | null {
  try {
    return linearPattern(value);
  } catch {
    return null;
  }
}

function meets(labels: Labels, { label, op, value }: LabelMatcher): boolean {
  const actual = Object.hasOwn(labels, label) ? (labels[label] ?? '') : '';
  switch (op) {
    case '=':
      return actual === value;
    case '!=':
      return actual !== value;
    case '=~':
      return storedPattern(value)?.matches(actual) ?? false;
    case '!~':
      return !(storedPattern(value)?.matches(actual) ?? true);
  }
}

export function meetsAll(labels: Labels, matchers: readonly LabelMatcher[]): boolean {
  return matchers.every((matcher) => meets(labels, matcher));
}
