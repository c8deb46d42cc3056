import type { TokenCounter } from '../ports';
import type { Classified } from '../classify/classified';
import type { Element } from '../window/element';
import { REPLY_LINE } from '../render/segment';
import type { FoldDepth } from './call-words';
import type { ReplaceStep } from './candidate';
import type { SegmentPiece } from './plan';
import type { PlanFacts } from './plan-facts';
import type { Unit } from './units';

/** A text that a summarizer may shorten where it stands. */
export interface ShortenStep {
  readonly element: number;
  readonly maxTokens: number;
}

/** The steps chosen so far. A folded part's other steps do not count. */
export interface Choice {
  readonly replaced: Map<number, ReplaceStep>;
  readonly shortened: Map<number, ShortenStep>;
  /** Units that leave for a segment, and how much their lines say of the results. */
  readonly folded: Map<Unit, FoldDepth>;
  /** Parts of the folded units. */
  readonly foldedParts: Set<number>;
}

export function emptyChoice(): Choice {
  return { replaced: new Map(), shortened: new Map(), folded: new Map(), foldedParts: new Set() };
}

export function fold(choice: Choice, unit: Unit, depth: FoldDepth): void {
  choice.folded.set(unit, depth);
  for (const part of unit.parts) choice.foldedParts.add(part);
}

/** Whether a folded unit leaves without a word of its own. */
export function leavesWordless(unit: Unit, depth: FoldDepth | undefined): boolean {
  return unit.kind === 'words' || (unit.kind === 'reply' && depth === 'none');
}

/**
 * Adjacent folded units, in order: each run becomes one segment. Words, and segments that are made anew, run on across
 * what a person says between them; `betweenIsPersons` tells whether only such messages lie between two others.
 */
export function foldedRuns(
  folded: Choice['folded'],
  betweenIsPersons: (after: number, before: number) => boolean,
): readonly (readonly Unit[])[] {
  const isLoose = (unit: Unit): boolean => unit.kind === 'segment' || leavesWordless(unit, folded.get(unit));
  const runs: Unit[][] = [];
  for (const unit of [...folded.keys()].sort((a, b) => a.firstMessage - b.firstMessage)) {
    const run = runs[runs.length - 1];
    const last = run?.[run.length - 1];
    const goesOn =
      last !== undefined &&
      (last.lastMessage + 1 === unit.firstMessage ||
        (isLoose(last) && isLoose(unit) && betweenIsPersons(last.lastMessage, unit.firstMessage)));
    if (run !== undefined && goesOn) run.push(unit);
    else runs.push([unit]);
  }
  return runs;
}

/** How a choice words the units that it folds. */
export interface FoldedWords {
  callLine(call: Classified, unit: Unit): string;
  isWordless(unit: Unit): boolean;
  /** Lines for segments of earlier passes that become one. */
  segmentLines(units: readonly Unit[]): readonly string[];
}

export function foldedWords({ calls, segmentWords, classification }: PlanFacts, choice: Choice): FoldedWords {
  const idOf = (part: number): string => classification.elements[part]?.element.id ?? '';
  return {
    callLine: (call, unit) => calls.lineOf(call, choice.folded.get(unit) ?? 'none'),
    isWordless: (unit) => leavesWordless(unit, choice.folded.get(unit)),
    segmentLines: (units) => segmentWords.linesOf(units.flatMap(({ parts }) => parts.map(idOf))),
  };
}

/** Texts shorter than this stay whole in a segment. */
const WHOLE_TEXT_TOKENS = 30;
const SHORTENED_SHARE = 0.3;

/** Tokens that a shortened text may take. */
export function shortenedTokens(tokens: number): number {
  return tokens <= WHOLE_TEXT_TOKENS ? tokens : Math.max(WHOLE_TEXT_TOKENS, Math.ceil(tokens * SHORTENED_SHARE));
}

/** Tokens that a text may take in a segment. What an earlier pass shortened stays as it is: no summary of a summary. */
export function foldedTextTokens({ tokens, settled }: Element): number {
  return settled === undefined ? shortenedTokens(tokens) : tokens;
}

/** What a run of folded units is shortened to, before the summarizer has seen it. */
export function segmentPieces(
  run: readonly Unit[],
  elements: readonly Classified[],
  words: FoldedWords,
): readonly SegmentPiece[] {
  const pieces: SegmentPiece[] = [];
  const isWordless = run.map((unit) => words.isWordless(unit));
  const saysSomething = isWordless.includes(false);
  const segments = run.filter(({ kind }) => kind === 'segment');
  for (const [place, unit] of run.entries()) {
    if (unit.kind === 'segment') {
      if (unit !== segments[0]) continue;
      pieces.push(...words.segmentLines(segments).map((text) => ({ kind: 'line', text }) as const));
      continue;
    }
    if (isWordless[place] === true) {
      // Beside others the header says it; alone there would be nothing to read.
      if (!saysSomething) pieces.push({ kind: 'line', text: REPLY_LINE });
      continue;
    }
    for (const part of unit.parts) {
      const member = elements[part];
      if (member === undefined || member.element.kind === 'reasoning' || member.element.kind === 'result') continue;
      if (member.element.kind === 'call') pieces.push({ kind: 'line', text: words.callLine(member, unit) });
      else pieces.push({ kind: 'text', part, maxTokens: foldedTextTokens(member.element) });
    }
  }
  return foldEqualLines(pieces);
}

/** Equal lines in a row are one line with a count. */
function foldEqualLines(pieces: readonly SegmentPiece[]): readonly SegmentPiece[] {
  const folded: { piece: SegmentPiece; count: number }[] = [];
  for (const piece of pieces) {
    const last = folded[folded.length - 1];
    if (piece.kind === 'line' && last?.piece.kind === 'line' && last.piece.text === piece.text) last.count += 1;
    else folded.push({ piece, count: 1 });
  }
  return folded.map(({ piece, count }) =>
    piece.kind === 'line' && count > 1 ? { kind: 'line', text: `${piece.text} (${count} times)` } : piece,
  );
}

/** Remembers counts of texts within one plan, so that trying a choice costs no second count. */
export class CountedTexts {
  private readonly counts = new Map<string, number>();

  constructor(private readonly counter: TokenCounter) {}

  async learn(texts: readonly string[]): Promise<void> {
    const missing = [...new Set(texts)].filter((text) => !this.counts.has(text));
    if (missing.length === 0) return;
    const counts = await this.counter.count(missing);
    missing.forEach((text, index) => this.counts.set(text, counts[index] ?? 0));
  }

  tokens(text: string): number {
    return this.counts.get(text) ?? 0;
  }
}
