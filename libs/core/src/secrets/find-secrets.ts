import { findFramedSecrets } from './framed-secrets';
import { findShapedKeys } from './key-shapes';
import { findNamedSecrets } from './named-secrets';
import type { SecretSpan } from './secret-span';

/**
 * Every secret of a text that can be told by its shape, its name or what stands around it, in order and apart. Linear in
 * the text. Identifiers (hashes, UUIDs, order ids, call ids, cursors) are no secrets: they are what must be kept.
 */
export function findSecrets(text: string): readonly SecretSpan[] {
  if (text.length < 4) return [];
  return apart([...findShapedKeys(text), ...findFramedSecrets(text), ...findNamedSecrets(text)]);
}

/** Spans in order; of those that overlap the first and, there, the longest stays, grown to cover the others. */
export function apart(spans: readonly SecretSpan[]): readonly SecretSpan[] {
  const sorted = spans.toSorted((a, b) => a.start - b.start || b.end - a.end);
  const kept: SecretSpan[] = [];
  for (const span of sorted) {
    const last = kept.at(-1);
    if (last === undefined || span.start >= last.end) kept.push(span);
    else if (span.end > last.end) kept[kept.length - 1] = { ...last, end: span.end };
  }
  return kept;
}
