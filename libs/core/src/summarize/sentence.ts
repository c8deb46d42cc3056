/** A sentence or list item of a text, verbatim, at UTF-16 offsets. */
export interface Sentence {
  readonly start: number;
  readonly end: number;
  /** Number of its line. */
  readonly line: number;
  /** Columns of white space before its line; an item belongs to the line above that is less indented. */
  readonly indent: number;
  readonly form: 'sentence' | 'item' | 'heading';
  /** Ends in a colon: it introduces what follows. */
  readonly isLeadIn: boolean;
}

const LIST_ITEM = /^(?:[-*•+]|\d{1,3}[.)])\s/;
const HEADING = /^(?:#{1,6}\s|\*\*[^*]*\*\*:?$|__[^_]*__:?$)/;
const FENCE = /^(?:```|~~~)/;
const RULE = /^[-=*_|:\s]{2,}$/;
/** A line that only opens or closes markup; a closing tag may have been sealed as a path. */
const TAG = /^<(?:\/?[A-Za-z][\w:-]{0,60}|[^\s<>]{0,12}\d+:path[⟧⟫⦄⧽])>$/;
const QUOTED = /^(?:>\s?)+/;
const TERMINATORS = new Set(['.', '!', '?', '。', '！', '？', '｡', '।']);
/** End a sentence whatever follows: their scripts put no white space after it. */
const FULL_WIDTH = new Set(['。', '！', '？', '｡', '।']);
const CLOSERS = new Set([...TERMINATORS, '*', '_', '"', "'", ')', '`', '”', '’', '»', '」', '』', '）']);
const ABBREVIATION = /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|cf|No|approx|Mr|Mrs|Ms|Dr|St|\d{1,3})$/;
/** Looking back for an abbreviation needs no more than this. */
const MAX_ABBREVIATION = 8;

/**
 * The sentences of a text in order: lines are cut at full stops, exclamation and question marks of any script, list items and
 * headings are lines of their own. Code between fences, ruling lines and lone tags are left out. Linear in the length of the text.
 */
export function sentencesOf(text: string): readonly Sentence[] {
  const sentences: Sentence[] = [];
  let lineStart = 0;
  let isFenced = false;
  for (let line = 0; lineStart <= text.length; line++) {
    const newline = text.indexOf('\n', lineStart);
    const lineEnd = newline === -1 ? text.length : newline;
    const start = skipSpace(text, lineStart, lineEnd);
    const head = text.slice(start, Math.min(lineEnd, start + 200));
    if (FENCE.test(head.replace(QUOTED, ''))) isFenced = !isFenced;
    else if (!isFenced && start < lineEnd && !RULE.test(head) && !TAG.test(head.trimEnd())) {
      for (const sentence of sentencesOfLine(text, start, lineEnd, line, start - lineStart)) sentences.push(sentence);
    }
    lineStart = lineEnd + 1;
  }
  return sentences;
}

function sentencesOfLine(
  text: string,
  start: number,
  lineEnd: number,
  line: number,
  indent: number,
): readonly Sentence[] {
  const end = trimEnd(text, start, lineEnd);
  const head = text.slice(start, Math.min(end, start + 200));
  const isHeading = end - start <= 200 && HEADING.test(head);
  const form = isHeading ? 'heading' : LIST_ITEM.test(head) ? 'item' : 'sentence';
  if (form !== 'sentence') return [{ start, end, line, indent, form, isLeadIn: isHeading || endsInColon(text, end) }];
  const sentences: Sentence[] = [];
  let from = start;
  for (let offset = start; offset < end; offset++) {
    if (!TERMINATORS.has(text.charAt(offset))) continue;
    let stop = offset + 1;
    while (stop < end && CLOSERS.has(text.charAt(stop))) stop++;
    const isEnd = endsSentence(text, from, offset, stop, end);
    offset = stop - 1;
    if (!isEnd) continue;
    sentences.push({ start: from, end: stop, line, indent, form, isLeadIn: false });
    from = skipSpace(text, stop, end);
    offset = Math.max(offset, from - 1);
  }
  if (from < end) sentences.push({ start: from, end, line, indent, form, isLeadIn: endsInColon(text, end) });
  return sentences;
}

/** A full stop ends a sentence when white space and something that opens one follow. */
function endsSentence(text: string, from: number, offset: number, stop: number, end: number): boolean {
  if (stop >= end) return false;
  if (FULL_WIDTH.has(text.charAt(offset))) return true;
  if (!/\s/.test(text.charAt(stop))) return false;
  const next = text.charAt(skipSpace(text, stop, end));
  if (/[a-z,;]/.test(next)) return false;
  if (text.charAt(offset) !== '.') return true;
  return !ABBREVIATION.test(text.slice(Math.max(from, offset - MAX_ABBREVIATION), offset));
}

function skipSpace(text: string, from: number, end: number): number {
  let offset = from;
  while (offset < end && /\s/.test(text.charAt(offset))) offset++;
  return offset;
}

function trimEnd(text: string, start: number, end: number): number {
  let trimmed = end;
  while (trimmed > start && /\s/.test(text.charAt(trimmed - 1))) trimmed--;
  return trimmed;
}

function endsInColon(text: string, end: number): boolean {
  return /[:：][*_]{0,3}$/.test(text.slice(Math.max(0, end - 4), end));
}
