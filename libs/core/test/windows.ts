import type { Part, ReadWindow } from '../src/window/element';
import { DEFAULT_READ_LIMITS, formatOf, type Insertion, type WindowChanges } from '../src/formats';
import type { FormatName } from '../src/terms';

/** The window of a source that can be read; throws with the problems of one that cannot. */
export function windowOf(format: FormatName, source: unknown): ReadWindow {
  const text = typeof source === 'string' ? source : JSON.stringify(source);
  const answer = formatOf(format).read(text, DEFAULT_READ_LIMITS);
  if (answer.kind !== 'window') throw new Error(JSON.stringify(answer));
  return answer.window;
}

/** The changes of a pass, all optional. */
export function changes(
  given: { replaced?: [number, string][]; dropped?: number[]; inserted?: Insertion[] } = {},
): WindowChanges {
  return {
    replaced: new Map(given.replaced ?? []),
    dropped: new Set(given.dropped ?? []),
    inserted: given.inserted ?? [],
  };
}

/** What the format renders of a window with these changes. */
export function rendered(window: ReadWindow, given: Parameters<typeof changes>[0]): string {
  return formatOf(window.format).render(window, changes(given));
}

/** Index of the first part for which `test` holds. */
export function partWhere(window: ReadWindow, test: (part: Part) => boolean): number {
  const part = window.parts.find(test);
  if (part === undefined) throw new Error('No such part');
  return part.index;
}
