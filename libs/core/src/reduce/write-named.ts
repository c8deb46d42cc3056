import { sourceOf } from '../json';
import type { JsonItem } from './json-item';

/** A string that reads as one value without quotes. */
const BARE = /^[^\s,;:()"'`|=[\]{}-][^\s,;()"'`|[\]{}]*$/u;
/** What stands for a value that a row does not have, and for one that left. */
const ABSENT = '-';
const LEFT_OUT = '…';

/**
 * What was kept of a JSON result as one line of names and values, for places where the structure itself need not be
 * kept: `id R1; flights (number price): HAT1 12, HAT2 31`. Values stand as their source bytes, strings without quotes
 * where that is clear; rows of like objects share one list of names.
 */
export function writeNamed(text: string, root: JsonItem): string {
  return root.node.kind === 'array' ? writeList(text, root) : writeMembers(text, root, '; ');
}

function writeMembers(text: string, object: JsonItem, separator: string): string {
  return keptChildren(object)
    .map((child) => `${writeText(child.member?.key ?? '')}${writeBehindKey(text, child)}`)
    .join(separator);
}

function writeBehindKey(text: string, child: JsonItem): string {
  if (child.children.length === 0) return ` ${writeScalar(text, child)}`;
  if (keptChildren(child).length === 0) return '';
  if (child.node.kind === 'object') return ` (${writeMembers(text, child, ', ')})`;
  const list = writeList(text, child);
  return list.startsWith('(') ? ` ${list}` : `: ${list}`;
}

/** `HAT1, HAT2`, or `(from LAX; number price): HAT1 12, HAT2 31` where the items are alike: what all share comes first. */
function writeList(text: string, array: JsonItem): string {
  const items = keptChildren(array);
  const rows = items.length > 1 ? items.map(cellsOf) : [];
  const names = likeNames(rows);
  if (names === undefined) return items.map((item) => writeItem(text, item)).join(', ');
  const written = rows.map((row) => new Map([...(row ?? [])].map(([name, cell]) => [name, writeScalar(text, cell)])));
  const shared = names.filter((name) => new Set(written.map((row) => row.get(name))).size === 1);
  const own = names.filter((name) => !shared.includes(name));
  const [first] = written;
  const sharedWords = shared.map((name) => `${writeText(name)} ${first?.get(name) ?? ABSENT}`).join(', ');
  const lacking = (at: number, name: string): string => (hasCell(items[at], name) ? LEFT_OUT : ABSENT);
  const heads = [sharedWords, own.map((name) => writeText(name)).join(' ')].filter((words) => words !== '');
  const lines = written.map((row, at) => own.map((name) => row.get(name) ?? lacking(at, name)).join(' '));
  return own.length === 0 ? `${String(rows.length)} × (${sharedWords})` : `(${heads.join('; ')}): ${lines.join(', ')}`;
}

function writeItem(text: string, item: JsonItem): string {
  if (item.children.length === 0) return writeScalar(text, item);
  return item.node.kind === 'array' ? `[${writeList(text, item)}]` : `(${writeMembers(text, item, ', ')})`;
}

/** The scalars of a row by dotted name; undefined where it is no object, or holds a list. */
function cellsOf(row: JsonItem): ReadonlyMap<string, JsonItem> | undefined {
  if (row.node.kind !== 'object') return undefined;
  const cells = new Map<string, JsonItem>();
  for (const child of keptChildren(row)) {
    const name = child.member?.key ?? '';
    const inner = child.children.length === 0 ? new Map([['', child]]) : cellsOf(child);
    if (inner === undefined) return undefined;
    for (const [below, cell] of inner) cells.set(below === '' ? name : `${name}.${below}`, cell);
  }
  return cells;
}

/** Whether a row had a value under a dotted name before it was reduced. */
function hasCell(row: JsonItem | undefined, name: string): boolean {
  return (row?.children ?? []).some((child) => {
    const key = child.member?.key ?? '';
    return key === name || (name.startsWith(`${key}.`) && hasCell(child, name.slice(key.length + 1)));
  });
}

/** Names of the cells of like rows; undefined where a row is no flat object, or the rows share too little. */
function likeNames(rows: readonly (ReadonlyMap<string, JsonItem> | undefined)[]): readonly string[] | undefined {
  const names = new Set<string>();
  let cells = 0;
  for (const row of rows) {
    if (row === undefined) return undefined;
    for (const name of row.keys()) names.add(name);
    cells += row.size;
  }
  return names.size > 0 && cells * 2 > names.size * rows.length ? [...names] : undefined;
}

function writeScalar(text: string, { node }: JsonItem): string {
  return node.kind === 'string' ? writeText(node.value, sourceOf(text, node)) : sourceOf(text, node);
}

/** The words themselves where nothing in them could be taken for the end of the value. */
function writeText(value: string, source = JSON.stringify(value)): string {
  return BARE.test(value) ? value : source;
}

function keptChildren(item: JsonItem): readonly JsonItem[] {
  return item.children.filter((child) => child.kept);
}
