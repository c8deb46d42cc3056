import type { PassRequest, PassWindow } from '../pass';
import type { Classification } from '../classify/classified';
import type { SessionState, TokenCounter } from '../ports';
import { isChangedByOthers } from '../window/find-window-incidents';
import { assemblePlan } from './assemble-plan';
import { RANK } from './candidate';
import { CountedTexts, emptyChoice, type Choice } from './choice';
import { DEPTHS, StepFinder } from './find-steps';
import { measureChoice } from './measure-choice';
import type { Plan } from './plan';
import { planFacts, type PlanFacts } from './plan-facts';
import type { PlanStep } from './plan-step';
import { standingPrefix } from './standing-prefix';

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

/** Share of the aim above which a floor is far out of reach. */
const FAR_SHARE = 1.3;

class Planner {
  private readonly finder: StepFinder;

  constructor(
    private readonly facts: PlanFacts,
    private readonly texts: CountedTexts,
  ) {
    this.finder = new StepFinder(facts, texts);
  }

  async plan(): Promise<Plan> {
    const before = this.facts.window.count.total;
    const aimTokens = this.aim(before);
    const limitTokens = this.limit(before);
    const steps = await this.steps(aimTokens, limitTokens);
    const floorTokens = steps.length === 0 ? before : Math.min(before, await this.measure(all(steps)));
    const putsBack = isChangedByOthers(this.facts.window);
    let choice = emptyChoice();
    let after = putsBack ? await this.measure(choice) : before;
    let targetTokens = aimTokens;
    if (after > aimTokens) {
      const ordinary = steps.filter(isOrdinary);
      const forced = steps.slice(ordinary.length);
      const prefix = await standingPrefix({
        facts: this.facts,
        steps: ordinary,
        aimTokens,
        floorTokens: await this.measure(all(ordinary)),
        measure: (one) => this.measure(one),
      });
      targetTokens = prefix.targetTokens;
      after = await this.take(prefix.first, targetTokens, choice, after);
      after = await this.take(prefix.rest, limitTokens, choice, after);
      if (after > limitTokens) targetTokens = limitTokens;
      after = await this.take(forced, limitTokens, choice, after);
    }
    after = await this.giveBack(choice, after, targetTokens);
    const minimum = Math.max(1, Math.floor(before * this.facts.request.policy.minGainShare));
    const worthIt = before - after >= minimum || (before > this.facts.request.budgetTokens && after < before);
    if (!worthIt && !putsBack) {
      choice = emptyChoice();
      after = before;
    }
    return assemblePlan(this.facts, choice, { putsBack, before, after, floorTokens, aimTokens });
  }

  /** The steps, cheapest loss first; segments are made anew only where the aim is far out of reach without. */
  private async steps(aimTokens: number, limitTokens: number): Promise<readonly PlanStep[]> {
    const steps = await this.finder.find();
    const rebuilt = this.finder.withRebuiltSegments(steps, aimTokens);
    if (rebuilt === steps) return steps;
    const isFar =
      (await this.measure(all(steps.filter(isOrdinary)))) > aimTokens * FAR_SHARE ||
      (await this.measure(all(steps))) > limitTokens;
    return isFar ? rebuilt : steps;
  }

  /** Applies steps in order until the window is down to `targetTokens`, or all are taken. Returns its tokens. */
  private async take(
    steps: readonly PlanStep[],
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
        const cost = this.finder.foldedTokens(unit, shallower) - this.finder.foldedTokens(unit, depth);
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

  private measure(choice: Choice): Promise<number> {
    return measureChoice(this.facts, choice, this.texts);
  }
}

const isOrdinary = ({ rank }: PlanStep): boolean => rank < RANK.forced;

function all(steps: readonly PlanStep[]): Choice {
  const everything = emptyChoice();
  for (const step of steps) step.apply(everything);
  return everything;
}
