import { findCriticalFields, type FieldKind } from '../seal';
import type { ItemTree, JsonItem } from './json-item';
import type { Mentions } from './reduction';

/** Longer strings are prose: they stay only when needed or declared. */
const MAX_SHORT_VALUE = 64;
const MAX_ADDRESS_VALUE = 160;
/** A column of so few values is scarce: its values go before those of a long list. */
const MAX_SCARCE = 3;
/** More rows than this that something else speaks of are no longer special. */
const MAX_NAMED_ROWS = 3;
const ID_KEY = /(?:^|_|[a-z])(?:id|ids|number|code|key|sku|uuid|sha|hash|ref|token|handle|url|uri|path)$/i;
const MONEY_KEY = /(?:price|amount|total|cost|balance|fee|refund|paid|sum|count|quantity|qty)/i;
const TELLING_KEY =
  /(?:^|_)(?:status|state|result|error|code|type|name|title|label|outcome|reason|cabin|method)(?:_|$)/i;
/** How people are reached is asked for less often than what they have. */
const CONTACT_KEY = /(?:^|_)(?:e?mail|phone|fax|mobile)(?:_|$)/i;
/** A smaller number under a key of amounts is a count of a few things. */
const SMALLEST_AMOUNT = 10;
const CLOCK_TIME = /^\d{1,2}:\d{2}/;
/** When something was written down is asked for less often than a day that something happens on. */
const TIMESTAMP = /\d[T ]\d{2}:\d{2}/;
const UNGUESSABLE: ReadonlySet<FieldKind> = new Set(['identifier', 'hash', 'email', 'path', 'url']);

/** A column of at least this share of new values is worth as much as they are. */
const FRESH_SHARE = 0.3;

/** Worth of a value, most wanted first; a repeat of a value adds `repeated`. */
const WORTH = { id: 0, dayOrMoney: 1, telling: 2, code: 3, short: 4, filler: 5, repeated: 4 } as const;

/** The least wanted values that may stay: names of the worths above. */
export type LeastWorth = 'ids' | 'days_and_amounts' | 'telling' | 'any';
const LEAST: Readonly<Record<LeastWorth, number>> = {
  ids: WORTH.id,
  days_and_amounts: WORTH.dayOrMoney,
  telling: WORTH.telling,
  any: Number.POSITIVE_INFINITY,
};

/** Keys that are values themselves: `{"credit_card_4421486": {...}}`. */
export function isValueKey(key: string): boolean {
  if (key.length > MAX_ADDRESS_VALUE || !/[\d/.@]/.test(key)) return false;
  const field = findCriticalFields(key)[0];
  return field !== undefined && field.start === 0 && field.end === key.length && !/^[a-z]+_?\d$/i.test(key);
}

/** Values that stay or leave together. */
export interface Candidate {
  readonly items: readonly JsonItem[];
  /** As many of them as fit may stay. */
  readonly maySplit: boolean;
  /** All of them are one value, which is written once for all rows. */
  readonly sharesValue: boolean;
}

interface Ranked extends Candidate {
  readonly rank: readonly number[];
}

/**
 * Values that may stay, most wanted first: ids, days and values that tell; scarce ones one by one before the columns of
 * long lists, but for a few rows that something else names; what stands only here before what was said already. Prose is
 * not among them.
 */
export function rankedCandidates(
  tree: ItemTree,
  { isNeeded, standsElsewhere }: Mentions,
  least: LeastWorth = 'any',
): readonly Candidate[] {
  const said = new Set(tree.valueKeyed.map((item) => item.member?.key ?? ''));
  const columnSize = (leaf: JsonItem): number => tree.columnSizes[leaf.column] ?? 0;
  const isNamed = (leaf: JsonItem): boolean =>
    columnSize(leaf) > MAX_SCARCE && literalOf(leaf).length > 1 && isNeeded(literalOf(leaf));
  /** Rows of a long list of which something else speaks. */
  const namedRows = new Set(tree.leaves.filter(isNamed).map((leaf) => leaf.parent));
  const ranked: Ranked[] = tree.valueKeyed.map((item) => single(item, [WORTH.id, 0]));
  const columns = new Map<number, ColumnLeaves>();
  for (const leaf of tree.leaves) {
    const worth = worthOf(leaf);
    if (leaf.kept || worth === undefined) continue;
    const literal = literalOf(leaf);
    const isRepeated = literal.length > 1 && (said.has(literal) || standsElsewhere(literal));
    said.add(literal);
    const size = columnSize(leaf);
    if (size <= MAX_SCARCE) {
      ranked.push(single(leaf, [worth + (isRepeated ? WORTH.repeated : 0), size]));
      continue;
    }
    if (namedRows.size <= MAX_NAMED_ROWS && namedRows.has(leaf.parent)) {
      ranked.push(single(leaf, [isNamed(leaf) ? WORTH.id : worth, MAX_SCARCE]));
      continue;
    }
    const column = columns.get(leaf.column) ?? { worth, all: [], fresh: [], values: new Set() };
    column.all.push(leaf);
    if (!isRepeated) column.fresh.push(leaf);
    column.worth = Math.min(column.worth, worth);
    column.values.add(literal);
    columns.set(leaf.column, column);
  }
  for (const column of columns.values()) ranked.push(...candidatesOfColumn(column));
  return ranked
    .filter(({ rank }) => (rank[0] ?? 0) <= LEAST[least])
    .sort((left, right) => compareRanks(left.rank, right.rank));
}

interface ColumnLeaves {
  worth: number;
  readonly all: JsonItem[];
  /** Those whose value was not said before. */
  readonly fresh: JsonItem[];
  readonly values: Set<string>;
}

function single(item: JsonItem, rank: readonly number[]): Ranked {
  return { items: [item], maySplit: false, sharesValue: false, rank };
}

function candidatesOfColumn({ worth, all, fresh, values }: ColumnLeaves): readonly Ranked[] {
  const maySplit = worth <= WORTH.dayOrMoney;
  if (values.size === 1) return [{ items: all, maySplit, sharesValue: true, rank: [worth, all.length] }];
  if (fresh.length >= FRESH_SHARE * all.length) {
    return [{ items: all, maySplit, sharesValue: false, rank: [worth, all.length] }];
  }
  const whole: Ranked = {
    items: all,
    maySplit: false,
    sharesValue: false,
    rank: [worth + WORTH.repeated, all.length],
  };
  return maySplit ? [{ items: fresh, maySplit, sharesValue: false, rank: [worth, all.length] }, whole] : [whole];
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
      if (!MONEY_KEY.test(place)) return WORTH.short;
      return Math.abs(Number(node.value)) < SMALLEST_AMOUNT && Number.isInteger(Number(node.value))
        ? WORTH.short
        : WORTH.dayOrMoney;
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
  if (CONTACT_KEY.test(key)) return WORTH.dayOrMoney;
  if (ID_KEY.test(key)) return WORTH.id;
  if (CLOCK_TIME.test(value)) return WORTH.filler;
  if (TELLING_KEY.test(key) || MONEY_KEY.test(key)) return WORTH.telling;
  if (!isWhole) return WORTH.short;
  if (field.kind === 'date') return TIMESTAMP.test(value) ? WORTH.short : WORTH.dayOrMoney;
  if (UNGUESSABLE.has(field.kind)) return /\d|[/@]/.test(value) ? WORTH.id : WORTH.code;
  return WORTH.telling;
}
