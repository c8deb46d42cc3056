import type { DriftPlan } from './drift-finding';
import type { StateFinding } from './state-finding';
import { contentStems, sharedStems } from './stems';
import { clausesOf } from './clauses';

const NUMBER_WORDS = 'one two three four five six seven eight nine ten eleven twelve'.split(' ');
const ORDINALS = 'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth'.split(' ');
const STEP_NOUN = '(?:steps?|phases?|stages?|tasks?|items?|milestones?|parts?|schritte?n?|étapes?|etapes?|pasos?)';
const COUNT = String.raw`(?:\d{1,3}|${NUMBER_WORDS.join('|')})`;
const STEP = new RegExp(
  [
    String.raw`(?<![\p{L}])${STEP_NOUN} (?:no\. ?|number |#)?(?<from>${COUNT})\b(?:(?:\s*[-–—]\s*| to | through | and | bis | à |, )(?:step )?(?<to>${COUNT})\b)?(?:\s*(?:of|\/|von|de|sur|out of) (?<of>${COUNT})\b)?`,
    String.raw`\b(?:the )?(?<ordinal>${ORDINALS.join('|')}|last|final|\d{1,3}(?:st|nd|rd|th))(?: of (?:the |its |our )?(?<of2>${COUNT}))? ${STEP_NOUN}\b`,
    String.raw`第\s*(?<han>\d{1,3})\s*(?:步|阶段)`,
    String.raw`\b(?<bare>\d{1,3}) ?(?:of|\/) ?(?<of3>\d{1,3}) ${STEP_NOUN}\b`,
    String.raw`\b(?:in|at|on|reached) the (?<end>last|final)(?: one| step)?\b`,
  ].join('|'),
  'giu',
);
/** Words directly before a step that make it the one where the work stands. */
const CURSOR =
  /\b(?:at|on|in|now|currently|current|reached|finished|completed|done with|working on|handled was|just did)\s*(?:the\s*)?[*_`]*$/i;
const NEXT = /\b(?:next|then|after(?:wards)?|start|begin|follow(?:s|ing)?|before|up)\b[^.;\n]{0,20}$/i;

interface Mention {
  readonly start: number;
  readonly end: number;
  readonly from: number;
  readonly to: number;
  readonly of: number | undefined;
}

/** A plan whose cursor the summary states wrongly, or not at all. */
export function findPlanDrift(summary: string, plan: DriftPlan): readonly StateFinding[] {
  const mentions = mentionsIn(summary, plan);
  if (mentions.length === 0) return isStepTold(summary, plan) ? [] : [lost(plan)];
  const cursor = mentions.find(({ start, from, to }) => {
    const before = summary.slice(Math.max(0, start - 30), start);
    return from === to && from !== plan.step && CURSOR.test(before) && !NEXT.test(before);
  });
  if (cursor !== undefined && !isAhead(mentions, plan, cursor)) return [changed(summary, cursor, plan)];
  const wrongTotal = mentions.find(({ of }) => of !== undefined && plan.of !== undefined && of !== plan.of);
  if (wrongTotal !== undefined) return [changed(summary, wrongTotal, plan)];
  if (mentions.some(({ from, to }) => from <= plan.step && plan.step <= to)) return [];
  if (isStepTold(summary, plan)) return [];
  const last = mentions.at(-1);
  return last === undefined ? [] : [changed(summary, last, plan)];
}

/** Where the summary speaks of steps by number. */
export function stepMentions(
  summary: string,
  plan: DriftPlan,
): readonly { readonly start: number; readonly end: number }[] {
  return mentionsIn(summary, plan);
}

/** A step told as finished may stand beside the one that is next. */
function isAhead(mentions: readonly Mention[], plan: DriftPlan, cursor: Mention): boolean {
  return (
    cursor.from === plan.step - 1 &&
    mentions.some((one) => one !== cursor && one.from <= plan.step && plan.step <= one.to)
  );
}

function mentionsIn(summary: string, plan: DriftPlan): readonly Mention[] {
  const mentions: Mention[] = [];
  for (const match of summary.matchAll(STEP)) {
    const groups = match.groups ?? {};
    const first = groups['from'] ?? groups['ordinal'] ?? groups['han'] ?? groups['bare'] ?? groups['end'];
    const from = first === undefined ? undefined : countOf(first, plan);
    if (from === undefined) continue;
    const to = groups['to'] === undefined ? from : (countOf(groups['to'], plan) ?? from);
    const total = groups['of'] ?? groups['of2'] ?? groups['of3'];
    mentions.push({
      start: match.index,
      end: match.index + match[0].length,
      from: Math.min(from, to),
      to: Math.max(from, to),
      of: total === undefined ? undefined : countOf(total, plan),
    });
  }
  return mentions;
}

function countOf(text: string, plan: DriftPlan): number | undefined {
  const lower = text.toLowerCase();
  if (lower === 'last' || lower === 'final') return plan.of;
  const digits = /^\d+/.exec(lower)?.[0];
  if (digits !== undefined) return Number(digits);
  const index = Math.max(NUMBER_WORDS.indexOf(lower), ORDINALS.indexOf(lower));
  return index === -1 ? undefined : index + 1;
}

/** Whether a clause says in words what the step is. */
function isStepTold(summary: string, plan: DriftPlan): boolean {
  const stems = contentStems(plan.text);
  if (stems.length === 0) return true;
  const needed = Math.max(1, Math.ceil(stems.length * 0.6));
  return clausesOf(summary).some((clause) => sharedStems(stems, contentStems(clause.text)) >= needed);
}

function lost(plan: DriftPlan): StateFinding {
  const total = plan.of === undefined ? '' : ` of ${String(plan.of)}`;
  return {
    kind: 'plan_step_lost',
    expected: plan.text,
    start: -1,
    end: -1,
    message: `step ${String(plan.step)}${total} is not told: ${plan.text}`,
  };
}

function changed(summary: string, { start, end }: Mention, plan: DriftPlan): StateFinding {
  return {
    kind: 'plan_step_changed',
    expected: plan.text,
    start,
    end,
    message: `${summary.slice(start, end)} where the plan is at step ${String(plan.step)}: ${plan.text}`,
  };
}
