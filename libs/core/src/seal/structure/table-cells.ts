import { kindOfScalar } from './kind-of-scalar';
import type { StructuredField } from './structured-field';

/** A line of a text and where it starts. */
export interface Line {
  readonly text: string;
  readonly start: number;
}

const RULE = /^[ \t]*\|?[ \t]*:?-{2,}:?[ \t]*(?:[|+][ \t]*:?-{2,}:?[ \t]*)*\|?[ \t]*$/;
const MAX_COLUMNS = 60;
const LONGEST_ROW = 4_000;

interface Cell {
  readonly value: string;
  readonly start: number;
}

/**
 * The cells of the table that begins at a line, and how many lines it takes; undefined where none begins there. Tables
 * have columns parted by `|` under a ruled header, or by tabs in two lines or more.
 */
export function tableAt(
  lines: readonly Line[],
  at: number,
): { readonly fields: readonly StructuredField[]; readonly count: number } | undefined {
  const [header, next] = [lines[at], lines[at + 1]];
  if (header === undefined || next === undefined || header.text.length > LONGEST_ROW) return undefined;
  const isRuled = header.text.includes('|') && next.text.includes('-') && RULE.test(next.text);
  const isTabbed = !isRuled && header.text.includes('\t') && countOf(header.text, '\t') === countOf(next.text, '\t');
  if (!isRuled && !isTabbed) return undefined;
  const separator = isRuled ? '|' : '\t';
  const names = cellsOf(header, separator).map(({ value }) => value);
  if (names.length < 2 || names.length > MAX_COLUMNS) return undefined;
  const fields: StructuredField[] = [];
  let count = isRuled ? 2 : 1;
  for (let row = at + count; row < lines.length; row++) {
    const line = lines[row];
    if (line === undefined || line.text.length > LONGEST_ROW) break;
    const cells = cellsOf(line, separator);
    if (cells.length !== names.length) break;
    for (const [column, { value, start }] of cells.entries()) {
      const name = names[column] ?? '';
      const kind = kindOfScalar(value, name, true);
      if (kind !== undefined) fields.push({ kind, start, end: start + value.length, name });
    }
    count++;
  }
  return { fields, count };
}

function cellsOf({ text, start }: Line, separator: string): readonly Cell[] {
  const cells: Cell[] = [];
  let from = 0;
  for (const piece of text.split(separator)) {
    const value = piece.trim();
    cells.push({ value, start: start + from + piece.indexOf(value) });
    from += piece.length + 1;
  }
  const isFramed = separator === '|';
  if (isFramed && cells[0]?.value === '') cells.shift();
  if (isFramed && cells.at(-1)?.value === '') cells.pop();
  return cells;
}

function countOf(text: string, character: string): number {
  let count = 0;
  for (let at = text.indexOf(character); at !== -1; at = text.indexOf(character, at + 1)) count++;
  return count;
}
