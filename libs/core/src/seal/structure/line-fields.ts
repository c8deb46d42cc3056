import { kindOfScalar } from './kind-of-scalar';
import type { StructuredField } from './structured-field';

/** `Order id: W-12`, `- **PNR**: K1NW8N`, `tracking_id = 8831`, at the start of a line. */
const KEY_LINE =
  /^[ \t]{0,12}(?:[-*+•][ \t]+)?(?:\*\*|__|`|")?([\p{L}_][\p{L}\p{N}_.\- ]{0,38}[\p{L}\p{N}_])(?:\*\*|__|`|")?[ \t]{0,8}[:=](?:\*\*|__)?[ \t]{1,12}(?:\*\*|__|`|")?([^\s"'`*|][^\n"`*|]{0,198})$/u;
/** `status=PAID amount=12.50`, anywhere in a line. */
const ASSIGNMENT =
  /(?<![\p{L}\p{N}_=/?&.-])([A-Za-z_][\w.-]{0,39})=(?:"([^"\\\n]{1,200})"|([^\s"'`,;()[\]{}]{1,200}))/gu;
const HUNK = /^@@ (-\d{1,9}(?:,\d{1,9})? \+\d{1,9}(?:,\d{1,9})?) @@/;
const DIFF_PATH =
  /^(?:--- a\/|\+\+\+ b\/|rename (?:from|to) |\*\*\* (?:Update|Add|Delete) File: )([^\t\n]{1,400}?)[ \t]*$/;
/** Lines longer than this are content. */
const LONGEST_LINE = 4_000;

/** Values of `key: value` and `key=value` lines, of hunk headers and of the paths that a diff names. */
export function lineFields(line: string, start: number): readonly StructuredField[] {
  if (line.length > LONGEST_LINE) return [];
  const hunk = HUNK.exec(line)?.[1];
  if (hunk !== undefined) return [{ kind: 'number', start: start + 3, end: start + 3 + hunk.length, name: 'hunk' }];
  const path = DIFF_PATH.exec(line)?.[1];
  if (path !== undefined && path !== '/dev/null') {
    const at = start + line.indexOf(path, 4);
    return [{ kind: 'path', start: at, end: at + path.length, name: 'file' }];
  }
  const fields: StructuredField[] = [];
  if (line.includes('=')) {
    for (const match of line.matchAll(ASSIGNMENT)) {
      const [whole, name = '', quoted, bare = ''] = match;
      const value = quoted ?? bare.replace(/[.:!?]+$/, '');
      add(fields, value, start + match.index + whole.lastIndexOf(quoted ?? bare), name);
    }
  }
  if (fields.length > 0) return fields;
  const [, name = '', value = ''] = KEY_LINE.exec(line) ?? [];
  const plain = value.trimEnd().replace(/[.,;]$/, '');
  if (name !== '') add(fields, plain, start + line.lastIndexOf(value), name);
  return fields;
}

function add(fields: StructuredField[], value: string, start: number, name: string): void {
  const kind = kindOfScalar(value, name, false);
  if (kind !== undefined) fields.push({ kind, start, end: start + value.length, name });
}
