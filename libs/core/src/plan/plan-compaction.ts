import type { Classification, Classified } from '../classify/classified';
import type { PassRequest, PassWindow } from '../pass';
import type { SessionState, TokenCounter } from '../ports';
import { isChangedByOthers } from '../window/find-window-incidents';
import { assemblePlan } from './assemble-plan';
import { RANK, replaceSteps, type ReplaceStep } from './candidate';
import {
  CountedTexts,
  emptyChoice,
  fold,
  leavesWordless,
  shortenedTokens,
  type Choice,
  type ShortenStep,
} from './choice';
import { linesComingAgain } from './lines-coming-again';
import { measureChoice } from './measure-choice';
import type { Plan } from './plan';
import { planFacts, type PlanFacts } from './plan-facts';
import type { FoldDepth } from './call-words';
import { findUnits, type Unit } from './units';

/** A step with what it frees. */
interface Candidate {
  readonly rank: number;
  readonly freedTokens: number;
  readonly position: number;
  /** Taken oldest first, whatever it frees: what lies side by side becomes one segment. */
  readonly inOrder: boolean;
  /** What it frees on top of the steps chosen before; an estimate that the real count corrects. */
  freedAfter(choice: Choice): number;
  apply(choice: Choice): void;
}

/** A step must free at least this much: its mark costs the reader attention too. */
const SMALLEST_GAIN_TOKENS = 12;

/**
 * Plans a pass: cheapest loss first until the aim is met. Authoritative elements are never a candidate; what is left
 * when all candidates are taken is the floor. Nothing is done yet.
 */
export async function planCompaction(
  request: PassRequest,
  window: PassWindow,
  classification: Classification,
  session: SessionState,
  counter: TokenCounter,
): Promise<Plan> {
  const facts = planFacts(request, window, classification, session);
  return new Planner(facts, new CountedTexts(counter)).plan();
}

class Planner {
  private readonly elements: readonly Classified[];

  constructor(
    private readonly facts: PlanFacts,
    private readonly texts: CountedTexts,
  ) {
    this.elements = facts.classification.elements;
  }

  async plan(): Promise<Plan> {
    const before = this.facts.window.count.total;
    const aimTokens = this.aim(before);
    const candidates = await this.candidates();
    const everything = emptyChoice();
    for (const candidate of candidates) candidate.apply(everything);
    const floorTokens = candidates.length === 0 ? before : Math.min(before, await this.measure(everything));
    const putsBack = isChangedByOthers(this.facts.window);
    let choice = emptyChoice();
    let after = putsBack ? await this.measure(choice) : before;
    const forcedFrom = candidates.findIndex(({ rank }) => rank >= RANK.forced);
    const ordinary = forcedFrom === -1 ? candidates : candidates.slice(0, forcedFrom);
    after = await this.take(ordinary, aimTokens, choice, after);
    const isForced = after > this.limit(before);
    after = await this.take(candidates.slice(ordinary.length), this.limit(before), choice, after);
    after = await this.giveBack(choice, after, isForced ? this.limit(before) : aimTokens);
    const minimum = Math.max(1, Math.floor(before * this.facts.request.policy.minGainShare));
    const worthIt = before - after >= minimum || (before > this.facts.request.budgetTokens && after < before);
    if (!worthIt && !putsBack) {
      choice = emptyChoice();
      after = before;
    }
    return assemblePlan(this.facts, choice, { putsBack, before, after, floorTokens, aimTokens });
  }

  /** Applies steps in order until the window is down to `targetTokens`, or all are taken. Returns its tokens. */
  private async take(
    steps: readonly Candidate[],
    targetTokens: number,
    choice: Choice,
    beforeTokens: number,
  ): Promise<number> {
    let tokens = beforeTokens;
    let next = 0;
    while (tokens > targetTokens && next < steps.length) {
      // Take what the estimate asks for, then count for real: marks, segments and the block come on top.
      let missing = tokens - targetTokens;
      while (missing > 0 && next < steps.length) {
        const step = steps[next];
        next += 1;
        if (step === undefined) break;
        missing -= step.freedAfter(choice);
        step.apply(choice);
      }
      tokens = await this.measure(choice);
    }
    return tokens;
  }

  /**
   * A step frees more than was missing: what is left over goes to the folded units, which say more of their results
   * again, the least said first, as long as the window stays within `targetTokens`. Returns its tokens.
   */
  private async giveBack(choice: Choice, afterTokens: number, targetTokens: number): Promise<number> {
    let left = targetTokens - afterTokens;
    if (left <= 0) return afterTokens;
    const before = new Map(choice.folded);
    const units = [...before.keys()].sort((a, b) => b.firstMessage - a.firstMessage);
    for (const shallower of DEPTHS.toReversed().slice(1)) {
      for (const unit of units) {
        const depth = choice.folded.get(unit) ?? shallower;
        const cost = this.foldedTokens(unit, shallower) - this.foldedTokens(unit, depth);
        if (DEPTHS.indexOf(depth) <= DEPTHS.indexOf(shallower) || cost > left) continue;
        left -= cost;
        choice.folded.set(unit, shallower);
      }
    }
    const tokens = await this.measure(choice);
    if (tokens <= targetTokens) return tokens;
    for (const [unit, depth] of before) choice.folded.set(unit, depth);
    return afterTokens;
  }

  private aim(before: number): number {
    const { policy, budgetTokens, aimTokens } = this.facts.request;
    return Math.min(aimTokens ?? Math.floor(budgetTokens * policy.aimShare), this.limit(before));
  }

  /** What the output may not exceed. */
  private limit(before: number): number {
    const { budgetTokens, reclaimTargetTokens } = this.facts.request;
    return reclaimTargetTokens === undefined ? budgetTokens : Math.min(budgetTokens, before - reclaimTargetTokens);
  }

  private tailFrom(): number {
    return Math.max(0, this.facts.window.read.messages.length - this.facts.request.policy.tailMessages);
  }

  private async candidates(): Promise<readonly Candidate[]> {
    const tailFrom = this.facts.request.format === 'elements' ? Number.POSITIVE_INFINITY : this.tailFrom();
    const { recall, mentions, session, window } = this.facts;
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
    const found = replace.map((step) => this.replaceCandidate(step));
    const shorten = this.elements.flatMap((classified) => this.shortenCandidates(classified, tailFrom));
    const units =
      this.facts.request.format === 'elements'
        ? []
        : findUnits(this.facts.window.read.messages, this.elements, tailFrom, this.facts.recall);
    const fold = (await Promise.all(DEPTHS.map((depth) => this.foldCandidates(units, depth, tailFrom)))).flat();
    return [...found, ...shorten, ...fold]
      .filter((candidate) => candidate.freedTokens >= SMALLEST_GAIN_TOKENS)
      .sort((a, b) => a.rank - b.rank || (a.inOrder ? 0 : b.freedTokens - a.freedTokens) || a.position - b.position);
  }

  private replaceCandidate(step: ReplaceStep): Candidate {
    const tokens = this.texts.tokens(step.text);
    return {
      rank: step.rank,
      freedTokens: (this.elements[step.element]?.element.tokens ?? 0) - tokens,
      position: step.element,
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

  private shortenCandidates(classified: Classified, tailFrom: number): readonly Candidate[] {
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
        inOrder: false,
        freedAfter: (choice) => (choice.foldedParts.has(element.index) ? 0 : freedTokens),
        apply: (choice) => choice.shortened.set(element.index, step),
      },
    ];
  }

  private async foldCandidates(
    found: readonly Unit[],
    depth: FoldDepth,
    tailFrom: number,
  ): Promise<readonly Candidate[]> {
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

  /** Calls say less by degrees; a reply is shortened or leaves whole, other words leave whole. */
  private mayFoldTo(kind: Unit['kind'], depth: FoldDepth): boolean {
    if (kind === 'steps') return true;
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

  /** Tokens that a unit leaves in its segment, an upper bound. */
  private foldedTokens(unit: Unit, depth: FoldDepth): number {
    if (leavesWordless(unit, depth)) return 0;
    return unit.parts.reduce((sum, part) => {
      const element = this.elements[part]?.element;
      if (element?.kind === 'call') return sum + this.texts.tokens(this.facts.calls.lineAt(part, depth));
      return element?.kind === 'text' ? sum + shortenedTokens(element.tokens) : sum;
    }, 0);
  }

  private measure(choice: Choice): Promise<number> {
    return measureChoice(this.facts, choice, this.texts);
  }
}

function isPersonsWords({ element, view, rule }: Classified): boolean {
  return element.role === 'user' && view === 'authoritative' && (rule === 'human_text' || rule === 'proposal_answered');
}

const DEPTHS: readonly FoldDepth[] = ['many', 'some', 'fewer', 'ids', 'few', 'none'];

/** Loss of folding a unit, by how much stays; days, amounts and identifiers leave only where the budget cannot be met otherwise. */
const FOLD_RANKS: Readonly<Record<FoldDepth, number>> = {
  many: RANK.foldMany,
  some: RANK.foldSome,
  fewer: RANK.foldFewer,
  ids: RANK.forced + RANK.foldIds,
  few: RANK.forced + RANK.foldFew,
  none: RANK.forced + RANK.foldNone,
};

/** Tokens of a segment's header line, rounded up; the real one is counted when a choice is weighed. */
const SEGMENT_HEADER_TOKENS = 24;
