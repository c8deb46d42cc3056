/** A keyset page: `next` is the position behind its last item, undefined on the last page. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly next: string | undefined;
}

export interface PageRequest {
  readonly limit: number;
  /** `next` of the page before; an unknown one is answered like the end. */
  readonly after: string | undefined;
}

/** Cuts `limit + 1` rows into a page; `positionOf` is what the next page starts behind. */
export function pageOf<Row, Item>(
  rows: readonly Row[],
  limit: number,
  itemOf: (row: Row) => Item,
  positionOf: (row: Row) => string,
): Page<Item> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    items: shown.map(itemOf),
    next: rows.length > limit && last !== undefined ? positionOf(last) : undefined,
  };
}

export const EMPTY_PAGE: Page<never> = { items: [], next: undefined };

/** A position that is a number: of a record, an effect, an event. Undefined when it is none. */
export function numberPosition(after: string | undefined): bigint | undefined {
  if (after === undefined) return 0n;
  return /^\d{1,18}$/.test(after) ? BigInt(after) : undefined;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** An id that is no UUID belongs to nothing, and must not reach a uuid column. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}
