import type { Classification, Classified } from '../classify/classified';
import type { PassRequest, PassWindow } from '../pass';
import type { SessionState, TokenCounter } from '../ports';
import { assemblePlan } from './assemble-plan';
import { RANK, replaceSteps, type ReplaceStep } from './candidate';
import { CountedTexts, emptyChoice, fold, shortenedTokens, type Choice, type ShortenStep } from './choice';
import { measureChoice } from './measure-choice';
import type { Plan } from './plan';
import { planFacts, type PlanFacts } from './plan-facts';
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
    let choice = emptyChoice();
    let after = before;
    if (before > aimTokens) {
      let next = 0;
      while (after > aimTokens && next < candidates.length) {
        // Take what the estimate asks for, then count for real: marks, segments and the block come on top.
        let missing = after - aimTokens;
        while (missing > 0 && next < candidates.length) {
          const candidate = candidates[next];
          next += 1;
          if (candidate === undefined) break;
          missing -= candidate.freedAfter(choice);
          candidate.apply(choice);
        }
        after = await this.measure(choice);
      }
    }
    const minimum = Math.max(1, Math.floor(before * this.facts.request.policy.minGainShare));
    const worthIt = before - after >= minimum || (before > this.facts.request.budgetTokens && after < before);
    if (!worthIt) {
      choice = emptyChoice();
      after = before;
    }
    return assemblePlan(this.facts, choice, { before, after, floorTokens, aimTokens });
  }

  private aim(before: number): number {
    const { policy, budgetTokens, aimTokens, reclaimTargetTokens } = this.facts.request;
    const aim = Math.min(budgetTokens, aimTokens ?? Math.floor(budgetTokens * policy.aimShare));
    return reclaimTargetTokens === undefined ? aim : Math.min(aim, before - reclaimTargetTokens);
  }

  private tailFrom(): number {
    return Math.max(0, this.facts.window.read.messages.length - this.facts.request.policy.tailMessages);
  }

  private async candidates(): Promise<readonly Candidate[]> {
    const tailFrom = this.facts.request.format === 'elements' ? Number.POSITIVE_INFINITY : this.tailFrom();
    const { recall, isNeeded, session, window } = this.facts;
    const context = { sessionId: session.sessionId, recall, isNeeded, mask: window.mask };
    const replace = this.elements.flatMap((classified) =>
      replaceSteps(
        classified,
        this.facts.calls.callOf(classified),
        this.facts.calls.statusOf(classified),
        classified.element.message >= tailFrom,
        context,
      ),
    );
    await this.texts.learn(replace.map((step) => step.text));
    const found = replace.map((step) => this.replaceCandidate(step));
    const shorten = this.elements.flatMap((classified) => this.shortenCandidates(classified, tailFrom));
    const units =
      this.facts.request.format === 'elements'
        ? []
        : findUnits(this.facts.window.read.messages, this.elements, tailFrom, this.facts.recall);
    const fold = (await Promise.all([true, false].map((withValues) => this.foldCandidates(units, withValues)))).flat();
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
      freedAfter: (choice) => (choice.foldedParts.has(step.element) ? 0 : this.tokensIn(choice, step.element) - tokens),
      apply: (choice) => choice.replaced.set(step.element, step),
    };
  }

  private shortenCandidates(classified: Classified, tailFrom: number): readonly Candidate[] {
    const { element, view } = classified;
    if (view !== 'disposable' || !element.editable || element.settled !== undefined) return [];
    if (element.kind === 'reasoning' || element.message >= tailFrom || element.rendered !== undefined) return [];
    const step: ShortenStep = { element: element.index, maxTokens: shortenedTokens(element.tokens) };
    const freedTokens = element.tokens - step.maxTokens - SEGMENT_HEADER_TOKENS;
    return [
      {
        rank: RANK.summarizeDisposable,
        freedTokens,
        position: element.index,
        inOrder: false,
        freedAfter: (choice) => (choice.foldedParts.has(element.index) ? 0 : freedTokens),
        apply: (choice) => choice.shortened.set(element.index, step),
      },
    ];
  }

  private async foldCandidates(units: readonly Unit[], withValues: boolean): Promise<readonly Candidate[]> {
    const lineAt = (part: number): string => this.facts.calls.lineAt(part, withValues);
    await this.texts.learn(units.flatMap((unit) => unit.parts.map(lineAt)));
    return units.map((unit) => {
      const stays = this.foldedTokens(unit, withValues);
      return {
        rank: withValues ? RANK.foldWithValues : RANK.foldBare,
        freedTokens: Math.max(SMALLEST_GAIN_TOKENS, unit.tokens - stays),
        position: unit.firstMessage,
        inOrder: true,
        freedAfter: (choice) => {
          const before = choice.folded.has(unit)
            ? this.foldedTokens(unit, true)
            : unit.parts.reduce((sum, part) => sum + this.tokensIn(choice, part), 0);
          return before - stays;
        },
        apply: (choice) => fold(choice, unit, withValues),
      };
    });
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
  private foldedTokens(unit: Unit, withValues: boolean): number {
    return unit.parts.reduce((sum, part) => {
      const element = this.elements[part]?.element;
      if (element?.kind === 'call') return sum + this.texts.tokens(this.facts.calls.lineAt(part, withValues));
      return element?.kind === 'text' ? sum + shortenedTokens(element.tokens) : sum;
    }, 0);
  }

  private measure(choice: Choice): Promise<number> {
    return measureChoice(this.facts, choice, this.texts);
  }
}

/** Tokens of a segment's header line, rounded up; the real one is counted when a choice is weighed. */
const SEGMENT_HEADER_TOKENS = 24;
