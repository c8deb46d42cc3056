import { findCriticalFields, wholeCharacterOffset, type CriticalField, type FieldKind } from '../seal';
import type { ReducedResult, ReduceOptions } from './reduction';
import { stripTerminalCodes } from './terminal-codes';

/** Characters a token of logs, listings and code has on average, low on purpose. */
const CHARACTERS_PER_TOKEN = 3.5;
/** Longer lines show only the piece around what is kept of them. */
const MAX_WHOLE_LINE = 600;
const EXCERPT_CHARACTERS = 160;
/** A folded call has room for a sentence or two. */
const LONGEST_KEPT_LINE = 200;
/** Patterns see this much of a line, whatever the owner's regular expression costs. */
const MAX_MATCHED_LINE = 2_000;
/** Lines that say the same but for their numbers stay this often. */
const MAX_ALIKE = 2;
/** Lines that carry the same needed value stay this often, whatever the allowance. */
const MAX_LINES_PER_NEEDED_VALUE = 3;

const TROUBLE =
  /\b(?:error|errors|failed|failure|failures|failing|exception|fatal|panic|traceback|denied|refused|rejected|conflict|cannot|not found|no such|undefined reference|aborted|timed out)\b|[✗✖✘❌]|\bE\d{3,4}\b/i;
const EXIT_CODE = /\bexit(?:ed)?(?: with)?(?: code| status)?[:= ]+-?\d+|\breturn(?:ed)? code\b/i;
const WARNING = /\bwarn(?:ing|ings)?\b|⚠/i;
const DIFF_HEADER = /^(?:@@ |diff --git |\+\+\+ |--- |Index: )/;
const TALLY = /\b\d+ (?:passed|failed|tests?|passing|failing|errors?|files? changed|rows?|results?|matches)\b/i;

/** What a source file declares, with or without the line numbers of a viewer. */
const DECLARATION =
  /^\s*(?:\d+\s*[|:→]?\s*)?(?:export|import|from|class|interface|type|enum|function|async function|def|async def|fn|pub|func|struct|impl|trait|package|module|namespace|#include|public|protected|abstract)\s/;

/** Ranks, most wanted first. */
const RANK = {
  needed: 0,
  declared: 1,
  exit: 2,
  trouble: 3,
  edge: 4,
  tally: 5,
  warning: 6,
  header: 7,
  scarce: 8,
  outline: 9,
  name: 10,
} as const;

/** The first line of a value, and how often it stands in the text. */
interface Owner {
  readonly line: number;
  readonly at: number;
  readonly kind: FieldKind;
  count: number;
}

interface Candidate {
  readonly line: number;
  readonly rank: number;
  /** Where in the line the reason stands. */
  readonly at: number;
}

/** Shrinks a text of lines; see `reduceResult`. Lines that stay are verbatim, without terminal codes. */
export function reduceLines(text: string, options: ReduceOptions): ReducedResult | undefined {
  const lines = stripTerminalCodes(text).split('\n');
  if (lines.length < 2 && text.length < MAX_WHOLE_LINE) return undefined;
  const shown = new Map<number, string>();
  let allowance = options.maxTokens * CHARACTERS_PER_TOKEN;
  for (const { line, rank, at } of rankedLines(lines, options)) {
    if (shown.has(line)) continue;
    const piece = excerpt(lines[line] ?? '', at);
    if (piece === undefined || (rank > RANK.declared && piece.length + 1 > allowance)) continue;
    shown.set(line, piece);
    allowance -= piece.length + 1;
  }
  if (shown.size === 0) return undefined;
  const total = lines.length;
  const way = options.recallMark.replace(/^\[(.*)\]$/, '$1');
  const body: string[] = [`[${String(shown.size)} of ${String(total)} lines; ${way}]`];
  let previous = -1;
  for (const line of [...shown.keys()].sort((left, right) => left - right)) {
    if (line > previous + 1 && previous !== -1) body.push('…');
    body.push(shown.get(line) ?? '');
    previous = line;
  }
  return { text: body.join('\n'), leftOut: `${String(total - shown.size)} of ${String(total)} lines` };
}

/**
 * The most wanted lines of a text that is no JSON, on one line, as many as fit: what a folded call says of its result.
 * Long lines count by the sentence. Undefined where nothing is worth it.
 */
export function keptLines(text: string, options: Omit<ReduceOptions, 'recallMark'>): string | undefined {
  const lines = stripTerminalCodes(text)
    .split('\n')
    .flatMap((line) => (line.length <= LONGEST_KEPT_LINE ? [line] : line.split(/(?<=[.!?;])\s+/u)))
    .map((line) => line.trim());
  const shown = new Set<number>();
  let allowance = options.maxTokens * CHARACTERS_PER_TOKEN;
  for (const { line, rank } of rankedLines(lines, options)) {
    const length = lines[line]?.length ?? 0;
    if (shown.has(line) || rank === RANK.edge || length > LONGEST_KEPT_LINE || length + 3 > allowance) continue;
    shown.add(line);
    allowance -= length + 3;
  }
  if (shown.size === 0) return undefined;
  const kept = [...shown].sort((left, right) => left - right).map((line) => lines[line] ?? '');
  return `"${kept.join(' … ')}"`;
}

function rankedLines(lines: readonly string[], options: Omit<ReduceOptions, 'recallMark'>): readonly Candidate[] {
  const patterns = linePatterns(options.keep);
  const alike = new Map<string, number>();
  const neededSeen = new Map<string, number>();
  const owners = new Map<string, Owner>();
  const candidates: Candidate[] = [];
  const firstLine = lines.findIndex((line) => line.trim() !== '');
  const lastLine = lines.findLastIndex((line) => line.trim() !== '');
  lines.forEach((line, number) => {
    if (line.trim() === '') return;
    const fields = findCriticalFields(line);
    const needed = neededField(line, fields, options.isNeeded);
    if (needed !== undefined && countUp(neededSeen, needed.value) <= MAX_LINES_PER_NEEDED_VALUE) {
      candidates.push({ line: number, rank: RANK.needed, at: needed.start });
    }
    const rank = rankOfLine(line.slice(0, MAX_MATCHED_LINE), patterns, number === firstLine || number === lastLine);
    if (rank !== undefined) {
      const isFree = rank.rank === RANK.declared || rank.rank === RANK.edge || rank.rank === RANK.outline;
      const isFresh = isFree || countUp(alike, line.slice(0, MAX_WHOLE_LINE).replace(/\d+/g, '0')) <= MAX_ALIKE;
      if (isFresh) candidates.push({ line: number, rank: rank.rank, at: rank.at });
    }
    for (const field of fields) {
      if (field.kind === 'number') continue;
      const owner = owners.get(field.value);
      if (owner === undefined) owners.set(field.value, { line: number, at: field.start, kind: field.kind, count: 1 });
      else owner.count++;
    }
  });
  for (const { line, at, kind, count } of owners.values()) {
    if (count === 1) candidates.push({ line, rank: kind === 'name' ? RANK.name : RANK.scarce, at });
  }
  return candidates.sort((left, right) => left.rank - right.rank || left.line - right.line);
}

function linePatterns(keep: readonly string[]): readonly RegExp[] {
  return keep.flatMap((pattern) => {
    const source = /^\/(.*)\/([imsu]*)$/s.exec(pattern);
    return source?.[1] === undefined ? [] : [new RegExp(source[1], source[2])];
  });
}

function neededField(
  line: string,
  fields: readonly CriticalField[],
  isNeeded: (value: string) => boolean,
): { readonly value: string; readonly start: number } | undefined {
  const whole = line.trim();
  if (whole.length <= MAX_WHOLE_LINE && isNeeded(whole)) return { value: whole, start: 0 };
  return fields.find((field) => isNeeded(field.value));
}

function rankOfLine(
  line: string,
  patterns: readonly RegExp[],
  isEdge: boolean,
): { readonly rank: number; readonly at: number } | undefined {
  const declared = patterns.map((pattern) => line.search(pattern)).find((at) => at !== -1);
  if (declared !== undefined) return { rank: RANK.declared, at: declared };
  const rules = [
    [EXIT_CODE, RANK.exit],
    [TROUBLE, RANK.trouble],
    [TALLY, RANK.tally],
    [WARNING, RANK.warning],
    [DIFF_HEADER, RANK.header],
    [DECLARATION, RANK.outline],
  ] as const;
  if (isEdge) return { rank: RANK.edge, at: 0 };
  for (const [pattern, rank] of rules) {
    const at = line.search(pattern);
    if (at !== -1) return { rank, at };
  }
  return undefined;
}

function countUp(counts: Map<string, number>, key: string): number {
  const count = (counts.get(key) ?? 0) + 1;
  counts.set(key, count);
  return count;
}

/** The whole line, or the words of a very long one around an offset; undefined where no white space would cut it. */
function excerpt(line: string, at: number): string | undefined {
  if (line.length <= MAX_WHOLE_LINE) return line;
  const from = at <= EXCERPT_CHARACTERS ? 0 : edgeOfWord(line, at - EXCERPT_CHARACTERS, 1);
  const to = at + EXCERPT_CHARACTERS >= line.length ? line.length : edgeOfWord(line, at + EXCERPT_CHARACTERS, 1);
  if (from === undefined || to === undefined || from > at) return undefined;
  return `${from > 0 ? '… ' : ''}${line.slice(from, to)}${to < line.length ? ' …' : ''}`;
}

/** The next white space within reach, so that a cut never shortens a value. */
function edgeOfWord(line: string, offset: number, step: number): number | undefined {
  for (let edge = wholeCharacterOffset(line, offset); Math.abs(edge - offset) <= EXCERPT_CHARACTERS; edge += step) {
    if (edge >= line.length || /\s/.test(line.charAt(edge))) return edge;
  }
  return undefined;
}
