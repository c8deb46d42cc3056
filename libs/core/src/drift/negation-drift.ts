import type { LiteralDrift } from './literal-drift';
import type { SourceIndex } from './source-index';
import { wordsOf, type Word } from './words';

/** A sentence of the summary that is one of the sources but for its negation. */
export interface NegationFinding {
  readonly start: number;
  readonly end: number;
  readonly drift: LiteralDrift;
}

const SENTENCE = /[^.!?\n]{12,600}/g;
const NEGATION = /\b(?:not|never|no|none|cannot|without|neither|nor|nicht|kein\w*|ohne|pas|jamais|sans)\b|n['’]t\b/gi;
const SHORTEST = 5;
const MAX_SENTENCES = 2_000;
const MAX_PLACES = 40;
/** Share of words that two sentences have to have in common to be the same one. */
const SAME_SHARE = 0.75;

/** Sentences that repeat one of the sources nearly word for word, and lost or gained a negation. */
export function findNegations(summary: string, index: SourceIndex): readonly NegationFinding[] {
  const found: NegationFinding[] = [];
  for (const match of [...summary.matchAll(SENTENCE)].slice(0, MAX_SENTENCES)) {
    const words = plainWords(match[0]);
    if (words.length < SHORTEST) continue;
    const own = negationsIn(match[0]);
    let turned: { readonly text: string; readonly start: number } | undefined;
    let isHeld = false;
    for (const { text, start } of sameSentences(words, index)) {
      if (negationsIn(text) === own) isHeld = true;
      else turned ??= { text, start };
    }
    if (isHeld || turned === undefined) continue;
    const { start, end } = trimmed(match[0], match.index);
    const expected = turned.text.trim();
    const at = turned.start + turned.text.indexOf(expected);
    found.push({ start, end, drift: { kind: 'constraint_weakened', expected, at } });
  }
  return found;
}

/** The words without what negates them, so that `don't` is `do`. */
function plainWords(text: string): readonly Word[] {
  const plain = text.replace(/n['’]t\b/gi, '   ').replace(/cannot/gi, 'can   ');
  return wordsOf(plain).filter(({ lower }) => lower.length > 1);
}

function trimmed(text: string, offset: number): { readonly start: number; readonly end: number } {
  const start = offset + text.length - text.trimStart().length;
  return { start, end: start + text.trim().length };
}

function negationsIn(text: string): number {
  return text.match(NEGATION)?.length ?? 0;
}

/** Sentences of the sources with nearly the same words, found by the two rarest of them. */
function sameSentences(
  words: readonly Word[],
  index: SourceIndex,
): readonly { readonly text: string; readonly start: number }[] {
  const rarest = [...new Set(words.map(({ lower }) => lower))]
    .map((lower) => ({ lower, places: index.wordAt(lower) }))
    .filter(({ places }) => places.length > 0)
    .sort((left, right) => left.places.length - right.places.length)
    .slice(0, 2);
  const starts = new Map<number, string>();
  for (const { places } of rarest) {
    for (const place of places.slice(0, MAX_PLACES)) {
      const { start, text } = sentenceAt(index.text, index.words[place]?.start ?? 0);
      if (!starts.has(start) && isSame(words, plainWords(text))) starts.set(start, text);
    }
  }
  return [...starts].map(([start, text]) => ({ start, text }));
}

const REACH = 600;

function sentenceAt(text: string, offset: number): { readonly start: number; readonly text: string } {
  const before = text.slice(Math.max(0, offset - REACH), offset);
  const start =
    offset - (before.length - Math.max(-1, ...['.', '!', '?', '\n'].map((end) => before.lastIndexOf(end))) - 1);
  const after = /[.!?\n]/.exec(text.slice(offset, offset + REACH));
  return { start, text: text.slice(start, offset + (after?.index ?? REACH)) };
}

function isSame(own: readonly Word[], other: readonly Word[]): boolean {
  const left = new Set(own.map(({ lower }) => lower));
  const right = new Set(other.map(({ lower }) => lower));
  let shared = 0;
  for (const word of left) if (right.has(word)) shared++;
  return shared / (left.size + right.size - shared) >= SAME_SHARE;
}
