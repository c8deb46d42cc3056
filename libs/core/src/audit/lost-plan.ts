import type { Classification } from '../classify/classified';
import type { DriftPlan } from '../drift';
import { items, member, memberEntries, parseJson, stringValue, type JsonNode } from '../json';
import type { RecordDraft } from '../ports';
import type { Element } from '../window/element';
import type { AuditFinding } from './audit-report';
import type { SaidIn } from './said-in';

/** Share of a step's words that must be said for it to count as still planned. */
const SAID_SHARE = 0.6;
const MAX_STEPS = 50;
const CHECKBOX = /^[ \t]*(?:[-*+]|\d{1,2}[.)])\s*\[([ xX~>-])\]\s+(.{3,300})$/gmu;
const CURSOR = /\b(?:step|phase|stage|part)\s+#?(\d{1,3})\s*(?:of|\/)\s*(\d{1,3})\b[^\n]{0,160}/iu;
const CLOSED = /^(?:completed?|done|finished|cancell?ed|skipped|closed)$/iu;
const STEP_NAMES = ['content', 'step', 'title', 'text', 'task', 'description'];

/** The newest plans of a window that left with their elements. */
export function plansThatLeft(classification: Classification, left: readonly Element[]): readonly RecordDraft[] {
  const gone = new Set(left.map(({ id }) => id));
  return classification.records.filter(({ kind, elementId }) => kind === 'plan' && gone.has(elementId));
}

/** Open steps of plans that left, which the window after does not name. */
export function lostSteps(
  plans: readonly RecordDraft[],
  left: readonly Element[],
  said: SaidIn,
): readonly AuditFinding[] {
  const paths = new Map(left.map(({ id, path }) => [id, path]));
  return plans.flatMap(({ content, elementId }) =>
    openSteps(content)
      .filter((step) => !said.quotes(step) && said.shareOfWords(step) < SAID_SHARE)
      .map((step): AuditFinding => ({
        kind: 'plan_step_lost',
        severity: 'error',
        expected: step,
        observed: null,
        source: { element_id: elementId, path: paths.get(elementId) ?? '' },
        place: null,
        message: 'An open step of the newest plan is not there any more',
        advice: 'Carry the newest plan as it is, with the step that is under way.',
        count: 1,
      })),
  );
}

/** Where the newest plan stands, when one says "step 6 of 9". */
export function cursorOf(plans: readonly RecordDraft[]): DriftPlan | undefined {
  for (const { content } of plans.toReversed()) {
    const match = CURSOR.exec(content);
    if (match !== null) return { step: Number(match[1]), of: Number(match[2]), text: match[0].trim() };
  }
  return undefined;
}

function openSteps(content: string): readonly string[] {
  const inJson = /^\s*[[{]/u.test(content) ? stepsInJson(content) : [];
  if (inJson.length > 0) return inJson.slice(0, MAX_STEPS);
  return [...content.matchAll(CHECKBOX)]
    .filter(([, mark]) => mark?.toLowerCase() !== 'x')
    .map(([, , step]) => step?.trim() ?? '')
    .slice(0, MAX_STEPS);
}

function stepsInJson(content: string): readonly string[] {
  let root: JsonNode;
  try {
    root = parseJson(content);
  } catch {
    return [];
  }
  const lists = [root, ...memberEntries(root).map(({ value }) => value)];
  return lists.flatMap(items).flatMap((item) => {
    if (CLOSED.test(stringValue(member(item, 'status')) ?? '')) return [];
    const step = STEP_NAMES.map((name) => stringValue(member(item, name))).find((text) => text !== undefined);
    return step === undefined || step.trim() === '' ? [] : [step.trim()];
  });
}
