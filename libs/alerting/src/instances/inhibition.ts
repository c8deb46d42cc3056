import type { Labels } from './fingerprint';
import { type LabelMatcher, meetsAll } from './matcher';

/** While a source fires, its targets are not told. */
export interface Inhibition {
  readonly source: readonly LabelMatcher[];
  readonly target: readonly LabelMatcher[];
  /** Labels that must be equal in both. */
  readonly equal: readonly string[];
}

/** When the platform itself is degraded, silent agents are its fault. */
export const STANDARD_INHIBITIONS: readonly Inhibition[] = [
  {
    source: [{ label: 'type', op: '=', value: 'platform.degraded' }],
    target: [{ label: 'type', op: '=', value: 'agent.silent' }],
    equal: [],
  },
];

function valueOf(labels: Labels, name: string): string {
  return Object.hasOwn(labels, name) ? (labels[name] ?? '') : '';
}

/** Whether one of the alerts that fire now holds this one back. An alert never inhibits itself. */
export function isInhibited(labels: Labels, firing: readonly Labels[], inhibitions: readonly Inhibition[]): boolean {
  return inhibitions.some(
    ({ source, target, equal }) =>
      meetsAll(labels, target) &&
      firing.some(
        (other) =>
          other !== labels &&
          meetsAll(other, source) &&
          !meetsAll(other, target) &&
          equal.every((name) => valueOf(other, name) === valueOf(labels, name)),
      ),
  );
}
