import { createHash } from 'node:crypto';

/** Names and values that tell the alerts of one rule apart. */
export type Labels = Readonly<Record<string, string>>;

function byName([a]: readonly [string, string], [b]: readonly [string, string]): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** What makes two observations the same alert: the rule and the labels it groups by, whatever their order. */
export function fingerprint(ruleId: string, labels: Labels): string {
  const identity = JSON.stringify([ruleId, Object.entries(labels).sort(byName)]);
  return createHash('sha256').update(identity, 'utf8').digest('hex');
}

/** The labels that a rule groups by; one that is absent is empty. */
export function groupLabels(labels: Labels, groupBy: readonly string[]): Labels {
  return Object.fromEntries(groupBy.map((name) => [name, Object.hasOwn(labels, name) ? (labels[name] ?? '') : '']));
}
