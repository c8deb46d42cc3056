import type { SealedText } from './critical-field';
import { DEFAULT_MARKER, markersOf } from './placeholder';
import { isWordAt } from './word-character';

const OPENING = new Set(['⟦', '⟪', '⦃', '⧼']);

export type UnsealAnswer =
  | {
      readonly kind: 'ok';
      readonly text: string;
      /** Placeholders that the answer does not use; allowed. */
      readonly dropped: readonly string[];
    }
  | { readonly kind: 'altered'; readonly reason: string };

/** What a placeholder looks like once its brackets are lost. */
const NAKED = /(\d{1,9}):(?:identifier|number|amount|path|url|email|date|version|hash|name|flag)(?![a-z])/g;

/**
 * Puts the sealed bytes back into an answer. Refuses an answer that altered a placeholder (lost a bracket, changed
 * number or kind), invented one, or glued a letter or digit to one that stood free in the sealed text.
 */
export function unsealText(sealed: SealedText, answer: string): UnsealAnswer {
  const markers = markersOf(sealed);
  const used = new Set<string>();
  const pieces: string[] = [];
  const between: string[] = [];
  let copied = 0;
  for (const { placeholder, start, end } of placeholdersIn(sealed, answer)) {
    const glued = gluedTo(sealed, answer, placeholder, start, end);
    if (glued !== undefined) return { kind: 'altered', reason: `${glued} stands directly at ${placeholder}` };
    const field = sealed.fields.get(placeholder);
    const plain = answer.slice(copied, start);
    pieces.push(plain, field?.value ?? placeholder);
    between.push(plain);
    used.add(placeholder);
    copied = end;
  }
  between.push(answer.slice(copied));
  pieces.push(answer.slice(copied));
  for (const plain of between) {
    const reason = traceOfPlaceholder(sealed, markers.length === 0 ? [DEFAULT_MARKER] : markers, plain);
    if (reason !== undefined) return { kind: 'altered', reason };
  }
  return { kind: 'ok', text: pieces.join(''), dropped: [...sealed.fields.keys()].filter((key) => !used.has(key)) };
}

interface Found {
  readonly placeholder: string;
  readonly start: number;
  readonly end: number;
}

/** Known placeholders of an answer, in order; each opening bracket is looked at once. */
function placeholdersIn(sealed: SealedText, answer: string): readonly Found[] {
  const found: Found[] = [];
  for (const { open, close } of markersOf(sealed)) {
    for (let start = answer.indexOf(open); start !== -1; start = answer.indexOf(open, start + 1)) {
      const closing = answer.indexOf(close, start + open.length);
      if (closing === -1) break;
      const end = closing + close.length;
      if (end - start > 2 * open.length + 40) continue;
      const placeholder = answer.slice(start, end);
      if (sealed.fields.has(placeholder)) found.push({ placeholder, start, end });
    }
  }
  return found.sort((left, right) => left.start - right.start);
}

function gluedTo(
  sealed: SealedText,
  answer: string,
  placeholder: string,
  start: number,
  end: number,
): string | undefined {
  const value = sealed.fields.get(placeholder)?.value ?? '';
  const before = answer.charAt(start - 1);
  const isGluedBefore = isWordAt(answer, start - 1) && isWordAt(value, 0);
  if (isGluedBefore && !sealed.text.includes(before + placeholder)) return before;
  const after = answer.charAt(end);
  const isGluedAfter = isWordAt(answer, end) && isWordAt(value, value.length - 1);
  return isGluedAfter && !sealed.text.includes(placeholder + after) ? after : undefined;
}

function traceOfPlaceholder(
  sealed: SealedText,
  markers: readonly { readonly open: string; readonly close: string }[],
  plain: string,
): string | undefined {
  for (const { open, close } of markers) {
    for (const bracket of [open, close]) {
      const at = plain.indexOf(bracket);
      if (at !== -1 && !sealed.text.includes(bracket)) return `a ${bracket} that no text holds`;
      if (at !== -1 && sealed.fields.size > 0)
        return `a placeholder that is not in the text, at ${plain.slice(at, at + 24)}`;
    }
  }
  const naked = nakedIn(plain);
  if (naked.length === 0) return undefined;
  const known = new Set(nakedIn(sealed.text));
  const invented = naked.find((candidate) => !known.has(candidate));
  return invented === undefined ? undefined : `a placeholder without its brackets: ${invented}`;
}

/** Texts that look like a placeholder without brackets; real placeholders of the text are left out. */
function nakedIn(text: string): readonly string[] {
  return [...text.matchAll(NAKED)]
    .filter((match) => !OPENING.has(text.charAt(match.index - 1)))
    .map((match) => match[0]);
}
