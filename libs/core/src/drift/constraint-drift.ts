import { clausesOf, isEnglish, type Clause } from './clauses';
import type { DriftConstraint } from './drift-finding';
import {
  isConditional,
  isConditionOf,
  isForbidding,
  isForeign,
  isNegatedRule,
  isRule,
  isSoftened,
  isSoftenedAtAll,
  isUnconditional,
} from './rule-words';
import { ruleStems } from './rule-stems';
import type { StateFinding } from './state-finding';
import { sharedStems } from './stems';

/** Share of a constraint's words that a clause has to repeat to state it. */
const STATED_SHARE = 0.5;
const ABOUT_SHARE = 0.34;
/** Share that is enough in a clause that forbids, as the constraint does. */
const FORBIDDING_SHARE = 0.25;

interface Candidate {
  readonly clause: Clause;
  readonly shared: number;
  readonly share: number;
  /** Shares a number or code with the constraint. */
  readonly hasCode: boolean;
}

/** Required constraints that the summary does not state, and stated ones that lost their force. */
export function findConstraintDrift(summary: string, constraints: readonly DriftConstraint[]): readonly StateFinding[] {
  if (constraints.length === 0) return [];
  const isReadable = isEnglish(summary);
  const clauses = clausesOf(summary).map((clause) => ({ clause, stems: ruleStems(clause.text) }));
  const whole = ruleStems(summary);
  return constraints.flatMap((constraint): readonly StateFinding[] => {
    const stems = ruleStems(constraint.text);
    if (stems.length === 0) return [];
    const codes = codesOf(constraint.text);
    const candidates = clauses
      .map(({ clause, stems: given }): Candidate => {
        const shared = sharedStems(stems, given);
        return { clause, shared, share: shared / stems.length, hasCode: holdsAll(codes, given) };
      })
      .sort((left, right) => right.share - left.share);
    const wholeShare = sharedStems(stems, whole) / stems.length;
    if (candidates.some((one) => states(one, constraint, stems.length, wholeShare))) return [];
    const about = candidates.filter(({ shared }) => shared > 0);
    const soft =
      about.find(({ clause }) => isSoftenedAtAll(clause.text, constraint.text)) ??
      about.find(({ clause }) => isSoftened(clause.text, constraint.text));
    if (soft !== undefined) return [weak(constraint, soft.clause)];
    const [best] = candidates;
    const isTurned = best !== undefined && best.share >= ABOUT_SHARE && isNegatedRule(constraint.text);
    if (isTurned && isReadable && isRule(best.clause.text)) return [weak(constraint, best.clause)];
    if (!constraint.required) return [];
    // What is said softly, and is nowhere else, stands for the rule.
    const anySoft = candidates.find(({ clause }) => isSoftenedAtAll(clause.text, constraint.text));
    if (anySoft !== undefined && isReadable) return [weak(constraint, anySoft.clause)];
    const isTranslated = isForeign(constraint.text) === isReadable;
    if (!isReadable && (isTranslated || wholeShare >= FORBIDDING_SHARE)) return [];
    return [lost(constraint, isTranslated || !isReadable || (wholeShare >= ABOUT_SHARE && !isTurned))];
  });
}

const LIMIT =
  /\b(?:under|below|above|over|within|at most|at least|up to|max(?:imum)?|before|after|until|by)\s+\D{0,4}(\d[\d.,:]*)/gi;

const LIMIT_WORDS = new RegExp(LIMIT.source, 'i');

const CEILING =
  /\b(?:limit(?:s|ed)?|cap(?:s|ped)?|budget|ceiling|floor|no (?:more|less|later|earlier|sooner) than|only|must|not|never|exceed)\b|[<>≤≥]/i;

/** The numbers that a rule is about: its limits where it names some. */
function codesOf(text: string): readonly string[] {
  const limits = [...text.matchAll(LIMIT)].map(([, limit = '']) => limit);
  const codes = limits.length > 0 ? limits.join(' ') : text;
  return ruleStems(codes).filter((stem) => /\d/.test(stem));
}

function holdsAll(codes: readonly string[], given: readonly string[]): boolean {
  return codes.length > 0 && sharedStems(codes, given) === codes.length;
}

/** Whether a clause says the rule with its force. */
function states(
  { clause, shared, share, hasCode }: Candidate,
  { text }: DriftConstraint,
  count: number,
  wholeShare: number,
): boolean {
  if (shared === 0 || isSoftened(clause.text, text)) return false;
  if (isNegatedRule(text)) {
    const isSaid = isForbidding(clause.text) || (share >= STATED_SHARE && isConditionOf(clause.text, text));
    if (!isSaid) return false;
    if (isUnconditional(text) && isConditional(clause.text)) return false;
    const isEnough = share >= FORBIDDING_SHARE || (count > 4 && shared >= 2);
    return isEnough || (hasCode && shared >= 2);
  }
  const isLimit = LIMIT_WORDS.test(text);
  const saysLimit = LIMIT_WORDS.test(clause.text) || CEILING.test(clause.text);
  if (hasCode && share >= FORBIDDING_SHARE && (!isLimit || saysLimit)) return true;
  // A limit is stated by a limit, and not by what else the rule speaks of.
  if (isLimit && !saysLimit) return false;
  return (share >= ABOUT_SHARE && wholeShare >= STATED_SHARE) || (share >= 0.4 && shared >= 2);
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

function lost({ text }: DriftConstraint, isDoubtful: boolean): StateFinding {
  return { kind: 'constraint_lost', expected: text, start: -1, end: -1, message: `not stated: ${text}`, isDoubtful };
}
