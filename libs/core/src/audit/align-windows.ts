import { alignWithManifest } from '../window/identity';
import type { Element } from '../window/element';
import { wordsOf, type AuditedWindow } from './audited-window';

/** Which elements of a window stand in the next one. */
export interface WindowDifference {
  readonly kept: readonly Element[];
  readonly left: readonly Element[];
  /** Elements of the window after that were not in the one before. */
  readonly added: readonly Element[];
  /** Of those, what the compactor wrote: everything that something kept follows, or all when nothing was kept. */
  readonly written: readonly Element[];
  /** All that the window after says. */
  readonly afterText: string;
}

/** Compares two windows, element by element, in order, by what they say. */
export function differenceOf(before: AuditedWindow, after: AuditedWindow): WindowDifference {
  const entries = before.elements.map(({ digest }, index) => ({ id: String(index), digest }));
  const digests = after.elements.map(({ digest }) => digest);
  const aligned = alignWithManifest(digests, { pass: 0, entries });
  const standing = new Set(aligned.flatMap((entry) => (entry === undefined ? [] : [Number(entry.id)])));
  const added = after.elements.filter((_, index) => aligned[index] === undefined);
  const lastKept = aligned.findLastIndex((entry, index) => entry !== undefined && isHistory(after.elements[index]));
  return {
    kept: before.elements.filter((_, index) => standing.has(index)),
    left: before.elements.filter((_, index) => !standing.has(index)),
    added,
    written: added.filter(({ kind, index }) => kind !== 'call' && (lastKept === -1 || index < lastKept)),
    afterText: after.elements.map(wordsOf).join('\n'),
  };
}

function isHistory(element: Element | undefined): boolean {
  return element !== undefined && element.role !== 'system';
}
