import { type pageQuerySchema } from '@holdfast/contracts';
import type { z } from 'zod';
import type { Page, PageRequest } from '../ports/repositories';
import { requestProblem } from '../problems/api-problem';

/** What a position of a list looks like: an id, a number, a time with an id, a name. */
const POSITIONS = {
  id: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u,
  number: /^\d{1,18}$/u,
  time: /^\d{1,18}\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u,
  name: /^[A-Za-z0-9][\w.:@-]{0,199}$/u,
} as const;
export type Positions = keyof typeof POSITIONS;

/**
 * Cursors on the wire are the repository's positions in base64url: opaque, and worth nothing to a forger, because they
 * only say where to go on among rows that the caller may see anyway.
 */
export function pageRequest({ limit, cursor }: z.output<typeof pageQuerySchema>, positions: Positions): PageRequest {
  return { limit, after: cursor === undefined ? undefined : decodeCursor(cursor, POSITIONS[positions]) };
}

export function pageView<Item, View>(
  page: Page<Item>,
  view: (item: Item) => View,
): { readonly items: View[]; readonly next: string | null } {
  return {
    items: page.items.map(view),
    next: page.next === undefined ? null : Buffer.from(page.next, 'utf8').toString('base64url'),
  };
}

function decodeCursor(cursor: string, position: RegExp): string {
  const text = Buffer.from(cursor, 'base64url').toString('utf8');
  if (!position.test(text) || Buffer.from(text, 'utf8').toString('base64url') !== cursor) {
    throw requestProblem([{ code: 'FIELD_INVALID', path: '/cursor', in: 'query', message: 'is no cursor of a page' }]);
  }
  return text;
}
