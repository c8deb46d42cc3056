import { commandFields } from './command-line';
import { findJsonLeaves } from './json-leaves';
import { lineFields } from './line-fields';
import type { StructuredField } from './structured-field';
import { tableAt, type Line } from './table-cells';

/**
 * Every value of a text that a structure holds, in order and without overlap: scalars of JSON, cells of tables,
 * `key: value` and `key=value`, commands behind a prompt, what a diff names. Linear in the length of the text.
 */
export function findStructuredFields(text: string): readonly StructuredField[] {
  const leaves = text.includes('"') ? findJsonLeaves(text) : [];
  const lines = linesOf(text);
  const others: StructuredField[] = [];
  for (let at = 0; at < lines.length;) {
    const table = tableAt(lines, at);
    if (table !== undefined) {
      others.push(...table.fields);
      at += table.count;
      continue;
    }
    const line = lines[at];
    if (line !== undefined && line.text !== '') {
      const command = commandFields(line.text, line.start);
      others.push(...(command.length > 0 ? command : lineFields(line.text, line.start)));
    }
    at++;
  }
  return merged(leaves, others);
}

/** Both lists by place; of two that overlap the one of the first list stays. */
function merged(first: readonly StructuredField[], second: readonly StructuredField[]): readonly StructuredField[] {
  if (second.length === 0) return first;
  const all: StructuredField[] = [];
  let [left, right] = [0, 0];
  let end = 0;
  while (left < first.length || right < second.length) {
    const [one, other] = [first[left], second[right]];
    const next = one !== undefined && (other === undefined || one.start < other.end) ? one : other;
    if (next === one) left++;
    else right++;
    if (next === undefined || next.start < end) continue;
    all.push(next);
    end = next.end;
  }
  return all;
}

function linesOf(text: string): readonly Line[] {
  const lines: Line[] = [];
  let start = 0;
  for (;;) {
    const end = text.indexOf('\n', start);
    lines.push({ text: text.slice(start, end === -1 ? text.length : end).replace(/\r$/, ''), start });
    if (end === -1) return lines;
    start = end + 1;
  }
}
