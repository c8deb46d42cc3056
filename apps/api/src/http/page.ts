import { type pageQuerySchema } from '@holdfast/contracts';
import type { z } from 'zod';
import type { Page, PageRequest } from '../ports/repositories';
import { requestProblem } from '../problems/api-problem';

/**
 * Cursors on the wire are the repository's positions in base64url: opaque, and worth nothing to a forger, because they
 * only say where to go on among rows that the caller may see anyway.
 */
export function pageRequest({ limit, cursor }: z.output<typeof pageQuerySchema>): PageRequest {
  return { limit, after: cursor === undefined ? undefined : decodeCursor(cursor) };
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

function decodeCursor(cursor: string): string {
  const text = Buffer.from(cursor, 'base64url').toString('utf8');
  // A position never has control characters, and the database takes no NUL.
  if (/\p{Cc}/u.test(text) || Buffer.from(text, 'utf8').toString('base64url') !== cursor) {
    throw requestProblem([{ code: 'FIELD_INVALID', path: '/cursor', in: 'query', message: 'is no cursor of a page' }]);
  }
  return text;
}
