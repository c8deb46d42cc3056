import { clausesOf, isEnglish, type Clause } from './clauses';
import type { DriftConstraint } from './drift-finding';
import type { StateFinding } from './state-finding';
import { contentStems, sharedStems } from './stems';

/** Share of a constraint's words that a clause has to repeat to state it. */
const STATED_SHARE = 0.5;
const ABOUT_SHARE = 0.34;
const NEGATION =
  /\b(?:no|not|never|none|nothing|nobody|without|neither|nor|only|avoid(?:s|ed|ing)?|except|unless|forbid(?:s|den)?|prohibit(?:s|ed)?|ban(?:s|ned)?|cannot|refus(?:e|es|ed)|instead|same|unchanged|untouched|intact|keep(?:s|ing)?|kept|leav(?:e|es|ing)|exclud(?:e|es|ed|ing)|skip(?:s|ped|ping)?|stop(?:s|ped)?|off.limits|rather than|nicht|kein(?:e|en)?|ohne|nie|pas|sans|jamais|sin|nunca)\b|n't\b|不|没|勿/iu;
const NEGATED_RULE = /\b(?:not|never|no|without|cannot|don't|mustn't|avoid|nobody|nothing|none)\b|n't\b/i;
const HEDGE =
  /\b(?:prefer(?:s|ably|red|ence)?|ideally|if (?:possible|practical|practicable|convenient|feasible|you like|necessary|needed)|where (?:possible|practical|practicable|convenient|feasible)|when (?:possible|convenient)|as far as possible|optional(?:ly)?|try to|tr(?:y|ies) not to|would rather|nice to have|usually|generally|normally|mostly|in most cases|in general|should consider|be careful (?:with|when)|at (?:her|his|their|your|our) discretion|(?:it's|is|are) best|best to|better|advis(?:ed|able)|recommended|suggest(?:s|ed)?|sparingly|reasonable|civilised|civilized|allowed|permitted|fine to|ok to|okay to|free to)\b/i;
/** Words that turn a rule into a wish. */
const SOFTENED =
  /\b(?:preferably|ideally|if (?:possible|practical|convenient|feasible)|where (?:possible|practical|practicable|convenient|feasible)|when (?:possible|convenient)|as far as possible|nice to have)\b/i;
/** In small letters only: the month is no permission. */
const MAY = /\b(?:may|might)\b/;

/** Required constraints that the summary does not state, and stated ones that lost their force. */
export function findConstraintDrift(summary: string, constraints: readonly DriftConstraint[]): readonly StateFinding[] {
  if (constraints.length === 0 || !isEnglish(summary)) return [];
  const clauses = clausesOf(summary).map((clause) => ({ clause, stems: contentStems(clause.text) }));
  const whole = contentStems(summary);
  return constraints.flatMap((constraint): readonly StateFinding[] => {
    const stems = contentStems(constraint.text);
    if (stems.length === 0) return [];
    let best: { clause: Clause; share: number } | undefined;
    for (const { clause, stems: given } of clauses) {
      const share = sharedStems(stems, given) / stems.length;
      if (best === undefined || share > best.share) best = { clause, share };
    }
    const wholeShare = sharedStems(stems, whole) / stems.length;
    if (best !== undefined && best.share >= ABOUT_SHARE) {
      if (isWeaker(constraint, best.clause)) return [weak(constraint, best.clause)];
    }
    const share = best?.share ?? 0;
    const isStated =
      (share >= ABOUT_SHARE && wholeShare >= STATED_SHARE) || (share >= 0.4 && Math.round(share * stems.length) >= 2);
    if (isStated || !constraint.required) return [];
    // What is said softly, and is nowhere else, stands for the rule.
    const soft = clauses.find(({ clause }) => SOFTENED.test(clause.text) && !SOFTENED.test(constraint.text));
    return [soft === undefined ? lost(constraint, wholeShare >= ABOUT_SHARE) : weak(constraint, soft.clause)];
  });
}

function isWeaker({ text }: DriftConstraint, clause: Clause): boolean {
  const isHedged = isSoft(clause.text) && !isSoft(text);
  return isHedged || (NEGATED_RULE.test(text) && !NEGATION.test(clause.text));
}

function weak({ text }: DriftConstraint, { text: said, start, end }: Clause): StateFinding {
  return {
    kind: 'constraint_weakened',
    expected: text,
    start,
    end,
    message: `${said.trim()} says less than: ${text}`,
  };
}

function isSoft(text: string): boolean {
  return HEDGE.test(text) || (MAY.test(text) && !NEGATION.test(text));
}

function lost({ text }: DriftConstraint, isDoubtful: boolean): StateFinding {
  return { kind: 'constraint_lost', expected: text, start: -1, end: -1, message: `not stated: ${text}`, isDoubtful };
}
