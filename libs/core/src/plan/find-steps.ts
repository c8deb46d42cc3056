import type { Classified } from '../classify/classified';
import { isConclusion, isPinned } from '../render/pinned-block';
import type { FoldDepth } from './call-words';
import { RANK, replaceSteps, type ReplaceStep } from './candidate';
import {
  type Choice,
  type CountedTexts,
  fold,
  foldedTextTokens,
  leavesWordless,
  shortenedTokens,
  type ShortenStep,
} from './choice';
import { linesComingAgain } from './lines-coming-again';
import type { PlanFacts } from './plan-facts';
import type { PlanStep } from './plan-step';
import { findUnits, type Unit } from './units';

/** A step must free at least this much: its mark costs the reader attention too. */
const SMALLEST_GAIN_TOKENS = 12;
/** Share of an aim from which on segments of earlier passes are too many. */
const LARGEST_SEGMENTS_SHARE = 0.5;
/** Share of them, oldest first, that is made anew. */
const REBUILT_SHARE = 0.8;
/** Tokens of a segment's header line, rounded up; the real one is counted when a choice is weighed. */
const SEGMENT_HEADER_TOKENS = 24;

export const DEPTHS: readonly FoldDepth[] = ['many', 'some', 'fewer', 'ids', 'few', 'none'];

/** Loss of folding a unit, by how much stays; days, amounts and identifiers leave only where the budget cannot be met otherwise. */
const FOLD_RANKS: Readonly<Record<FoldDepth, number>> = {
  many: RANK.foldMany,
  some: RANK.foldSome,
  fewer: RANK.foldFewer,
  ids: RANK.forced + RANK.foldIds,
  few: RANK.forced + RANK.foldFew,
  none: RANK.forced + RANK.foldNone,
};

/** Finds the steps that the classes of a window's elements allow, cheapest loss first. */
export class StepFinder {
  private readonly elements: readonly Classified[];
  /** Ids of the elements whose leaving adds a line to the pinned block. */
  private readonly pinnedOnLeaving: ReadonlySet<string>;

  constructor(
    private readonly facts: PlanFacts,
    private readonly texts: CountedTexts,
  ) {
    this.elements = facts.classification.elements;
    const { session, classification } = facts;
    this.pinnedOnLeaving = new Set([
      ...classification.effects.filter(isPinned).map(({ occurrence }) => occurrence),
      ...[...session.records, ...classification.records].filter(isConclusion).map(({ elementId }) => elementId),
    ]);
  }

  async find(): Promise<readonly PlanStep[]> {
    const { recall, mentions, session, window } = this.facts;
    const tailFrom = this.tailFrom();
    const isForced = ({ element, lastResort }: Classified): boolean => lastResort || element.message >= tailFrom;
    const newestRequest = this.elements.findLast(isPersonsWords)?.element.index;
    const mayRepack = (one: Classified): boolean => isPersonsWords(one) && one.element.index !== newestRequest;
    const comesAgain = linesComingAgain(this.elements);
    const { sessionId } = session;
    const context = { sessionId, recall, mentions, comesAgain, isForced, mayRepack, mask: window.mask };
    const replace = this.elements.flatMap((classified) =>
      replaceSteps(classified, this.facts.calls.callOf(classified), this.facts.calls.statusOf(classified), context),
    );
    await this.texts.learn(replace.map((step) => step.text));
    const found = replace.map((step) => this.replaceStep(step));
    const shorten = this.elements.flatMap((classified) => this.shortenSteps(classified, tailFrom));
    const units = this.units();
    const folds = (await Promise.all(DEPTHS.map((depth) => this.foldSteps(units, depth, tailFrom)))).flat();
    return byLoss([...found, ...shorten, ...folds]);
  }

  private tailFrom(): number {
    const { request, window } = this.facts;
    if (request.format === 'elements') return Number.POSITIVE_INFINITY;
    return Math.max(0, window.read.messages.length - request.policy.tailMessages);
  }

  private units(): readonly Unit[] {
    const { request, window, recall } = this.facts;
    if (request.format === 'elements') return [];
    return findUnits(window.read.messages, this.elements, this.tailFrom(), recall);
  }

  /** Tokens that a unit leaves in its segment, an upper bound. */
  foldedTokens(unit: Unit, depth: FoldDepth): number {
    if (leavesWordless(unit, depth) || unit.kind === 'segment') return 0;
    return unit.parts.reduce((sum, part) => {
      const element = this.elements[part]?.element;
      if (element?.kind === 'call') return sum + this.texts.tokens(this.facts.calls.lineAt(part, depth));
      return element?.kind === 'text' ? sum + foldedTextTokens(element) : sum;
    }, 0);
  }

  /** What gets a line in the pinned block changes the window from the block on, which stands in front of all history. */
  private firstMessage(parts: readonly number[], message: number): number {
    const isPinnedNow = parts.some((part) => this.pinnedOnLeaving.has(this.elements[part]?.element.id ?? ''));
    return isPinnedNow ? 0 : message;
  }

  private replaceStep(step: ReplaceStep): PlanStep {
    const tokens = this.texts.tokens(step.text);
    const element = this.elements[step.element]?.element;
    const message = element?.message ?? 0;
    return {
      rank: step.rank,
      freedTokens: (element?.tokens ?? 0) - tokens,
      position: step.element,
      firstMessage: step.operation === 'repack' ? message : this.firstMessage([step.element], message),
      inOrder: false,
      freedAfter: (choice) =>
        choice.foldedParts.has(step.element) ? 0 : Math.max(0, this.tokensIn(choice, step.element) - tokens),
      apply: (choice) => {
        // What was repacked may be shorter already than what a loss would leave.
        if (step.operation === 'reduce' && this.tokensIn(choice, step.element) <= tokens) return;
        choice.shortened.delete(step.element);
        choice.replaced.set(step.element, step);
      },
    };
  }

  private shortenSteps(classified: Classified, tailFrom: number): readonly PlanStep[] {
    const { element, view, keeps } = classified;
    if (view !== 'disposable' || keeps !== undefined || !element.editable || element.settled !== undefined) return [];
    if (element.kind === 'reasoning' || element.rendered !== undefined) return [];
    const step: ShortenStep = { element: element.index, maxTokens: shortenedTokens(element.tokens) };
    const freedTokens = element.tokens - step.maxTokens - SEGMENT_HEADER_TOKENS;
    return [
      {
        rank: RANK.summarizeDisposable + (element.message >= tailFrom ? RANK.forced : 0),
        freedTokens,
        position: element.index,
        firstMessage: this.firstMessage([element.index], element.message),
        inOrder: false,
        freedAfter: (choice) => (choice.foldedParts.has(element.index) ? 0 : freedTokens),
        apply: (choice) => choice.shortened.set(element.index, step),
      },
    ];
  }

  private async foldSteps(found: readonly Unit[], depth: FoldDepth, tailFrom: number): Promise<readonly PlanStep[]> {
    const units = found.filter(({ kind }) => this.mayFoldTo(kind, depth));
    const lineAt = (part: number): string => this.facts.calls.lineAt(part, depth);
    await this.texts.learn(units.flatMap((unit) => unit.parts.map(lineAt)));
    return units.map((unit) => {
      const stays = this.foldedTokens(unit, depth);
      return {
        rank: this.foldRank(unit, depth) + (unit.lastMessage >= tailFrom ? RANK.forced : 0),
        freedTokens:
          unit.kind === 'reply'
            ? unit.tokens - stays - SEGMENT_HEADER_TOKENS
            : Math.max(SMALLEST_GAIN_TOKENS, unit.tokens - stays),
        position: unit.firstMessage,
        firstMessage: this.firstMessage(unit.parts, unit.firstMessage),
        inOrder: true,
        freedAfter: (choice) => {
          const folded = choice.folded.get(unit);
          const before =
            folded !== undefined
              ? this.foldedTokens(unit, folded)
              : unit.parts.reduce((sum, part) => sum + this.tokensIn(choice, part), 0);
          return before - stays;
        },
        apply: (choice) => fold(choice, unit, depth),
      };
    });
  }

  /**
   * `steps` with one that makes the older segments of earlier passes anew, in one go, where they have grown to more than
   * half of the aim. Nothing of it without news: the next pass over the same window finds nothing more to do.
   */
  withRebuiltSegments(steps: readonly PlanStep[], aimTokens: number): readonly PlanStep[] {
    const units = this.units();
    const segments = units.filter(({ kind }) => kind === 'segment');
    const total = segments.reduce((sum, { tokens }) => sum + tokens, 0);
    const [first] = segments;
    if (first === undefined || total <= aimTokens * LARGEST_SEGMENTS_SHARE || !this.hasNews()) return steps;
    let sum = 0;
    const older = segments.filter(({ tokens }) => {
      sum += tokens;
      return sum <= total * REBUILT_SHARE;
    });
    const freedTokens = older.reduce((freed, { tokens }) => freed + tokens - SEGMENT_HEADER_TOKENS, 0);
    return byLoss([
      ...steps,
      {
        rank: RANK.rebuildSegments,
        freedTokens,
        position: first.parts[0] ?? 0,
        firstMessage: first.firstMessage,
        inOrder: true,
        freedAfter: () => freedTokens,
        apply: (choice) => {
          for (const unit of older) fold(choice, unit, 'none');
        },
      },
    ]);
  }

  /** Something stands in the window that no pass has handed out. */
  private hasNews(): boolean {
    const known = new Set(this.facts.session.handedOut?.entries.map(({ id }) => id));
    return this.elements.some(({ element }) => !known.has(element.id));
  }

  /** Calls say less by degrees; a reply is shortened or leaves whole, other words leave whole. */
  private mayFoldTo(kind: Unit['kind'], depth: FoldDepth): boolean {
    if (kind === 'steps') return true;
    if (kind === 'segment') return false;
    return (depth === 'none' && this.facts.recall) || (depth === 'many' && kind === 'reply');
  }

  private foldRank(unit: Unit, depth: FoldDepth): number {
    const forced = unit.parts.some((part) => this.elements[part]?.lastResort === true) ? RANK.forced : 0;
    if (leavesWordless(unit, depth)) return RANK.foldWords + forced;
    return FOLD_RANKS[depth] + forced;
  }

  /** Tokens of an element with the steps chosen so far, folding apart. */
  private tokensIn(choice: Choice, index: number): number {
    const shortened = choice.shortened.get(index);
    if (shortened !== undefined) return shortened.maxTokens + SEGMENT_HEADER_TOKENS;
    const replaced = choice.replaced.get(index);
    if (replaced !== undefined) return this.texts.tokens(replaced.text);
    return this.elements[index]?.element.tokens ?? 0;
  }
}

function byLoss(steps: readonly PlanStep[]): readonly PlanStep[] {
  return steps
    .filter((step) => step.freedTokens >= SMALLEST_GAIN_TOKENS)
    .sort((a, b) => a.rank - b.rank || (a.inOrder ? 0 : b.freedTokens - a.freedTokens) || a.position - b.position);
}

function isPersonsWords({ element, view, rule }: Classified): boolean {
  return element.role === 'user' && view === 'authoritative' && (rule === 'human_text' || rule === 'proposal_answered');
}
