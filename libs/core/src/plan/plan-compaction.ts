import type { Classification, Classified } from '../classify/classified';
import type { PassRequest, PassWindow } from '../pass';
import type { SessionState, TokenCounter } from '../ports';
import { assemblePlan } from './assemble-plan';
import { RANK, replaceSteps, type ReplaceStep } from './candidate';
import { CountedTexts, emptyChoice, shortenedTokens, type Choice, type ShortenStep } from './choice';
import { measureChoice } from './measure-choice';
import { collectNeededValues } from './needed-values';
import type { Plan } from './plan';
import { planFacts, type PlanFacts } from './plan-facts';
import { findUnits, type Unit } from './units';

/** A step with what it frees. */
interface Candidate {
  readonly rank: number;
  readonly freedTokens: number;
  readonly position: number;
  readonly referred: boolean;
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
          candidate.apply(choice);
          missing -= candidate.freedTokens;
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
    const needed = collectNeededValues(this.elements);
    const tailFrom = this.facts.request.format === 'elements' ? Number.POSITIVE_INFINITY : this.tailFrom();
    const context = {
      sessionId: this.facts.session.sessionId,
      recall: this.facts.recall,
      isNeeded: (value: string) => needed.has(value),
    };
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
    const found = replace.map((step) => this.replaceCandidate(step, needed));
    const shorten = this.elements.flatMap((classified) => this.shortenCandidates(classified, tailFrom));
    const units =
      this.facts.request.format === 'elements'
        ? []
        : findUnits(this.facts.window.read.messages, this.elements, tailFrom, this.facts.recall);
    await this.texts.learn(units.flatMap((unit) => unit.parts.map((part) => this.facts.calls.lineAt(part))));
    const fold = units.map((unit) => this.foldCandidate(unit));
    return [...found, ...shorten, ...fold]
      .filter((candidate) => candidate.freedTokens >= SMALLEST_GAIN_TOKENS)
      .sort(
        (a, b) =>
          a.rank - b.rank ||
          Number(a.referred) - Number(b.referred) ||
          (a.rank === RANK.foldUnit ? 0 : b.freedTokens - a.freedTokens) ||
          a.position - b.position,
      );
  }

  private replaceCandidate(step: ReplaceStep, needed: ReadonlySet<string>): Candidate {
    const element = this.elements[step.element]?.element;
    return {
      rank: step.rank,
      freedTokens: (element?.tokens ?? 0) - this.texts.tokens(step.text),
      position: step.element,
      referred: step.operation === 'evict' && needed.has(step.label),
      apply: (choice) => choice.replaced.set(step.element, step),
    };
  }

  private shortenCandidates(classified: Classified, tailFrom: number): readonly Candidate[] {
    const { element, view } = classified;
    if (view !== 'disposable' || !element.editable || element.settled !== undefined) return [];
    if (element.kind === 'reasoning' || element.message >= tailFrom || element.rendered !== undefined) return [];
    const step: ShortenStep = { element: element.index, maxTokens: shortenedTokens(element.tokens) };
    return [
      {
        rank: RANK.summarizeDisposable,
        freedTokens: element.tokens - step.maxTokens - SEGMENT_HEADER_TOKENS,
        position: element.index,
        referred: false,
        apply: (choice) => choice.shortened.set(element.index, step),
      },
    ];
  }

  private foldCandidate(unit: Unit): Candidate {
    const lines = unit.parts.reduce((sum, part) => sum + this.texts.tokens(this.facts.calls.lineAt(part)), 0);
    return {
      rank: RANK.foldUnit,
      // Steps taken before may have freed part of it already; the real count follows.
      freedTokens: Math.max(SMALLEST_GAIN_TOKENS, Math.floor((unit.tokens - lines) / 2)),
      position: unit.firstMessage,
      referred: false,
      apply: (choice) => choice.folded.add(unit),
    };
  }

  private measure(choice: Choice): Promise<number> {
    return measureChoice(this.facts, choice, this.texts);
  }
}

/** Tokens of a segment's header line, rounded up; the real one is counted when a choice is weighed. */
const SEGMENT_HEADER_TOKENS = 24;
