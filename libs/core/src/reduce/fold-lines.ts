const TIMES = /^(.*) \(×(\d{1,9})\)$/s;
const BLOCK_AGAIN = /^\[last (\d{1,9}) lines again, ×(\d{1,9})\]$/;
const LINES_AGAIN = /^\[lines? (\d{1,9})(?:-(\d{1,9}))? again\]$/;
/** Blocks up to this many lines are recognized where they repeat back to back. */
const MAX_PERIOD = 16;
/** A copy of earlier lines pays from about here: the mark itself takes twenty characters. */
const MIN_COPIED_CHARACTERS = 80;

/**
 * Folds what repeats: equal lines in a row (`line (×37)`), blocks in a row (`[last 3 lines again, ×5]`), and earlier
 * lines that come again (`[lines 12-40 again]`, lines counted from 1 in the unfolded text). `unfoldLines` reads it
 * back. Undefined where nothing repeats or where the text holds a line that looks like a fold.
 *
 * Linear in the length of the text.
 */
export function foldLines(text: string): string | undefined {
  const lines = text.split('\n');
  if (lines.length < 3 || lines.some(looksFolded)) return undefined;
  const numbers = numberLines(lines);
  const earlier = new Map<string, number>();
  const folded: string[] = [];
  let isFolded = false;
  let line = 0;
  while (line < lines.length) {
    const repeat = repeatAt(lines, numbers, line);
    const copy = repeat === undefined ? copyAt(lines, numbers, earlier, line) : undefined;
    let next = line + 1;
    if (repeat !== undefined) {
      isFolded = true;
      next = line + repeat.period * repeat.times;
      if (repeat.period === 1) folded.push(`${lines[line] ?? ''} (×${String(repeat.times)})`);
      else {
        folded.push(...lines.slice(line, line + repeat.period));
        folded.push(`[last ${String(repeat.period)} lines again, ×${String(repeat.times - 1)}]`);
      }
    } else if (copy !== undefined) {
      isFolded = true;
      next = line + copy.length;
      folded.push(copyMark(copy.from, copy.length));
    } else {
      folded.push(lines[line] ?? '');
    }
    for (let seen = line; seen < next; seen++) noteLine(lines, numbers, earlier, seen);
    line = next;
  }
  return isFolded ? folded.join('\n') : undefined;
}

function copyMark(from: number, length: number): string {
  const first = String(from + 1);
  return length === 1 ? `[line ${first} again]` : `[lines ${first}-${String(from + length)} again]`;
}

/** The text that was folded. */
export function unfoldLines(folded: string): string {
  const lines: string[] = [];
  for (const line of folded.split('\n')) {
    const block = BLOCK_AGAIN.exec(line);
    const copied = LINES_AGAIN.exec(line);
    const times = TIMES.exec(line);
    if (block !== null) {
      const repeated = lines.slice(-Number(block[1]));
      for (let time = 0; time < Number(block[2]); time++) for (const again of repeated) lines.push(again);
    } else if (copied !== null) {
      for (const again of lines.slice(Number(copied[1]) - 1, Number(copied[2] ?? copied[1]))) lines.push(again);
    } else if (times !== null) {
      for (let time = 0; time < Number(times[2]); time++) lines.push(times[1] ?? '');
    } else {
      lines.push(line);
    }
  }
  return lines.join('\n');
}

function looksFolded(line: string): boolean {
  if (line.endsWith(')') && line.includes(' (×') && TIMES.test(line)) return true;
  return line.startsWith('[l') && line.endsWith(']') && (BLOCK_AGAIN.test(line) || LINES_AGAIN.test(line));
}

/** Equal lines get equal numbers, so that comparing lines costs the same for long ones. */
function numberLines(lines: readonly string[]): readonly number[] {
  const byText = new Map<string, number>();
  return lines.map((line) => {
    const known = byText.get(line);
    if (known !== undefined) return known;
    byText.set(line, byText.size);
    return byText.size - 1;
  });
}

interface Repeat {
  readonly period: number;
  readonly times: number;
}

/** A repeat that does not pay is a few dozen characters long, so trying every period stays cheap. */
function repeatAt(lines: readonly string[], numbers: readonly number[], start: number): Repeat | undefined {
  for (let period = 1; period <= MAX_PERIOD; period++) {
    let matching = start;
    while (matching + period < numbers.length && numbers[matching] === numbers[matching + period]) {
      matching++;
    }
    const times = 1 + Math.floor((matching - start) / period);
    const blockLength = lengthOf(lines, start, period);
    const saved = (times - 1) * blockLength - (period === 1 ? 8 : 28);
    if (times > 1 && saved > 0) return { period, times };
  }
  return undefined;
}

function lengthOf(lines: readonly string[], start: number, count: number): number {
  let length = 0;
  for (let line = start; line < start + count; line++) length += (lines[line]?.length ?? 0) + 1;
  return length;
}

/** Where a copy may start: three lines that stood together before, or one long line. */
function copyKeys(lines: readonly string[], numbers: readonly number[], start: number): readonly string[] {
  const [first, second, third] = [numbers[start], numbers[start + 1], numbers[start + 2]];
  if (first === undefined) return [];
  const keys: string[] = [];
  if (second !== undefined && third !== undefined) keys.push(`${String(first)},${String(second)},${String(third)}`);
  if ((lines[start]?.length ?? 0) >= MIN_COPIED_CHARACTERS) keys.push(String(first));
  return keys;
}

function noteLine(
  lines: readonly string[],
  numbers: readonly number[],
  earlier: Map<string, number>,
  line: number,
): void {
  for (const key of copyKeys(lines, numbers, line)) if (!earlier.has(key)) earlier.set(key, line);
}

function copyAt(
  lines: readonly string[],
  numbers: readonly number[],
  earlier: ReadonlyMap<string, number>,
  start: number,
): { readonly from: number; readonly length: number } | undefined {
  for (const key of copyKeys(lines, numbers, start)) {
    const from = earlier.get(key);
    if (from === undefined) continue;
    let length = 0;
    while (from + length < start && numbers[from + length] === numbers[start + length]) length++;
    if (lengthOf(lines, start, length) >= MIN_COPIED_CHARACTERS) return { from, length };
  }
  return undefined;
}
