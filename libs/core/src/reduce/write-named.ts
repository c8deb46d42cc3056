import { sourceOf } from '../json';
import type { JsonItem } from './json-item';

/** A string that reads as one value without quotes. */
const BARE = /^[^\s,;:()"'`|=[\]{}-][^\s,;()"'`|[\]{}]*$/u;
/** What stands for a value that a row does not have. */
const NO_CELL = '-';

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

/** `HAT1, HAT2`, or `(number price): HAT1 12, HAT2 31` where the items are flat objects. */
function writeList(text: string, array: JsonItem): string {
  const rows = keptChildren(array);
  const names = rows.length > 1 ? columnNames(rows) : undefined;
  if (names === undefined) return rows.map((row) => writeItem(text, row)).join(', ');
  const lines = rows.map((row) => {
    const cells = new Map(keptChildren(row).map((cell) => [cell.member?.key ?? '', cell]));
    return names.map((name) => writeCell(text, cells.get(name))).join(' ');
  });
  return `(${names.map((name) => writeText(name)).join(' ')}): ${lines.join(', ')}`;
}

function writeItem(text: string, item: JsonItem): string {
  if (item.children.length === 0) return writeScalar(text, item);
  return item.node.kind === 'array' ? `[${writeList(text, item)}]` : `(${writeMembers(text, item, ', ')})`;
}

/** Names of the cells of like rows; undefined where the rows are no flat objects, or share too little. */
function columnNames(rows: readonly JsonItem[]): readonly string[] | undefined {
  const names = new Set<string>();
  let cells = 0;
  for (const row of rows) {
    if (row.node.kind !== 'object') return undefined;
    for (const cell of keptChildren(row)) {
      if (cell.children.length > 0) return undefined;
      names.add(cell.member?.key ?? '');
      cells += 1;
    }
  }
  return names.size > 0 && cells * 2 > names.size * rows.length ? [...names] : undefined;
}

function writeCell(text: string, cell: JsonItem | undefined): string {
  return cell === undefined ? NO_CELL : writeScalar(text, cell);
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
