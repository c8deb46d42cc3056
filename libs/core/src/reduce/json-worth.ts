import { findCriticalFields, type FieldKind } from '../seal';
import type { ItemTree, JsonItem } from './json-item';

/** Longer strings are prose: they stay only when needed or declared. */
const MAX_SHORT_VALUE = 64;
const MAX_ADDRESS_VALUE = 160;
/** A column of so few values is scarce: its values go before those of a long list. */
const MAX_SCARCE = 3;
const ID_KEY = /(?:^|_|[a-z])(?:id|ids|number|code|key|sku|uuid|sha|hash|ref|token|handle|url|uri|path)$/i;
const MONEY_KEY = /(?:price|amount|total|cost|balance|fee|refund|paid|sum|count|quantity|qty)/i;
const TELLING_KEY =
  /(?:^|_)(?:status|state|result|error|code|type|name|title|label|outcome|reason|cabin|method)(?:_|$)/i;
const CLOCK_TIME = /^\d{1,2}:\d{2}/;
/** When something was written down is asked for less often than a day that something happens on. */
const TIMESTAMP = /\d[T ]\d{2}:\d{2}/;
const UNGUESSABLE: ReadonlySet<FieldKind> = new Set(['identifier', 'hash', 'email', 'path', 'url']);

/** Worth of a value, most wanted first; a repeat of a value adds `repeated`. */
const WORTH = { id: 0, date: 1, telling: 2, code: 3, short: 4, filler: 5, repeated: 4 } as const;

/** Keys that are values themselves: `{"credit_card_4421486": {...}}`. */
export function isValueKey(key: string): boolean {
  if (key.length > MAX_ADDRESS_VALUE || !/[\d/.@]/.test(key)) return false;
  const field = findCriticalFields(key)[0];
  return field !== undefined && field.start === 0 && field.end === key.length && !/^[a-z]+_?\d$/i.test(key);
}

/**
 * Values that may stay, most wanted first: those beside a needed value, then ids and values that tell, scarce columns
 * before long ones, the first of equal values before its repeats. Prose is not among them.
 */
export function rankedCandidates(tree: ItemTree, needed: readonly JsonItem[]): readonly JsonItem[] {
  const nearNeeded = new Set(needed.map((leaf) => leaf.parent));
  const said = new Set(tree.valueKeyed.map((item) => item.member?.key ?? ''));
  for (const leaf of needed) said.add(literalOf(leaf));
  const ranked: { readonly item: JsonItem; readonly rank: readonly number[] }[] = tree.valueKeyed
    .filter((item) => !item.kept)
    .map((item, position) => ({ item, rank: [1, WORTH.id, 0, 0, position] }));
  tree.leaves.forEach((leaf, position) => {
    const worth = worthOf(leaf);
    if (leaf.kept || worth === undefined) return;
    const literal = literalOf(leaf);
    const isRepeated = literal.length > 1 && said.has(literal);
    said.add(literal);
    const columnSize = tree.columnSizes[leaf.column] ?? 0;
    const isNear = nearNeeded.has(leaf.parent) ? 0 : 1;
    const isCommon = columnSize > MAX_SCARCE ? 1 : 0;
    ranked.push({
      item: leaf,
      rank: [isNear, worth + (isRepeated ? WORTH.repeated : 0), isCommon, columnSize, position],
    });
  });
  ranked.sort((left, right) => compareRanks(left.rank, right.rank));
  return ranked.map(({ item }) => item);
}

function literalOf({ node }: JsonItem): string {
  if (node.kind === 'string') return node.value;
  return node.kind === 'number' || node.kind === 'boolean' ? String(node.value) : '';
}

function compareRanks(left: readonly number[], right: readonly number[]): number {
  for (let place = 0; place < left.length; place++) {
    const difference = (left[place] ?? 0) - (right[place] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

function worthOf(leaf: JsonItem): number | undefined {
  const { node } = leaf;
  const key = leaf.member?.key ?? leaf.parent?.member?.key ?? '';
  const place = `${leaf.parent?.member?.key ?? ''} ${key}`;
  switch (node.kind) {
    case 'number':
      if (ID_KEY.test(key)) return WORTH.id;
      return MONEY_KEY.test(place) ? WORTH.telling : WORTH.short;
    case 'boolean':
      return TELLING_KEY.test(key) ? WORTH.telling : WORTH.filler;
    case 'string':
      return worthOfString(node.value, key);
    default:
      return undefined;
  }
}

function worthOfString(value: string, key: string): number | undefined {
  if (value === '' || value.length > MAX_ADDRESS_VALUE) return undefined;
  const field = findCriticalFields(value)[0];
  const isWhole = field !== undefined && field.end - field.start === value.length;
  if (value.length > MAX_SHORT_VALUE && !isWhole) return undefined;
  if (ID_KEY.test(key)) return WORTH.id;
  if (CLOCK_TIME.test(value)) return WORTH.filler;
  if (TELLING_KEY.test(key) || MONEY_KEY.test(key)) return WORTH.telling;
  if (!isWhole) return WORTH.short;
  if (field.kind === 'date') return TIMESTAMP.test(value) ? WORTH.short : WORTH.date;
  if (UNGUESSABLE.has(field.kind)) return /\d|[/@]/.test(value) ? WORTH.id : WORTH.code;
  return WORTH.telling;
}
