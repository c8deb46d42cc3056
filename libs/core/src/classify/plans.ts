import { items, memberEntries } from '../json';
import type { Element } from '../window/element';
import { saysDeclined, saysError, saysInterrupted } from './result-shape';
import type { WindowContext } from './window-context';

/** A plan as the window shows it. The newest of each family counts, the others are history. */
export interface Plan {
  readonly family: 'todo_list' | 'written_plan' | 'plan_cursor';
  readonly element: Element;
  readonly label: string;
}

const PLAN_TOOL =
  /^(?:todo|todowrite|writetodos?|updatetodos?|todolist|managetodolist|updateplan|setplan|tasklist|plan)$/u;

const CHECKBOX = /^[ \t]*(?:[-*+]|\d{1,2}[.)])\s*\[[ xX~>-]\]\s+\S/gmu;
const NUMBERED = /^[ \t]*(?:\d{1,2}[.)]|(?:step|phase)\s+\d{1,2}\s*[:.)-])\s+\S/gimu;
const PLAN_WORD = /\b(?:plan|steps?|to-?do|roadmap|milestones?|phases?|next up|remaining)\b/iu;
const OPEN_ITEMS = /^\W{0,4}(?:open items|remaining (?:items|steps|tasks|work)|to-?dos?|next steps|plan)\s*:/imu;
const CURSOR = /\b(?:step|phase|stage|part)\s+#?\d{1,3}\s*(?:of|\/)\s*\d{1,3}\b/iu;

/** Plans stand in messages of a page or two; longer texts are documents. */
const MAX_PLAN_CHARS = 20_000;

const MAX_HEADING_CHARS = 300;

/** The newest plan of each family: to-do list by tool, written plan, statement of the current step. */
export function findPlans(context: WindowContext): readonly Plan[] {
  const newest = new Map<Plan['family'], Plan>();
  for (const element of context.input.elements) {
    const plan = todoList(element, context) ?? writtenPlan(element);
    if (plan !== undefined) newest.set(plan.family, plan);
  }
  return [...newest.values()];
}

/** True for text that reads like a plan or names its current step. */
export function readsLikePlan(text: string): boolean {
  return textFamily(text) !== undefined;
}

function todoList(element: Element, context: WindowContext): Plan | undefined {
  const { call } = element;
  if (call === undefined || !PLAN_TOOL.test(plainToolName(call.tool))) return undefined;
  if (!memberEntries(call.args).some(({ value }) => value.kind === 'array' && items(value).every(isPlanItem)))
    return undefined;
  const answer = context.resultOf(element);
  const shape = answer?.settled === undefined && answer !== undefined ? context.shapeOf(answer) : undefined;
  if (shape !== undefined && (saysError(shape) || saysDeclined(shape) || saysInterrupted(shape))) return undefined;
  return { family: 'todo_list', element, label: `to-do list (${call.tool}), newest` };
}

function isPlanItem(node: { readonly kind: string }): boolean {
  return node.kind === 'object' || node.kind === 'string';
}

/** `functions.todo_write`, `mcp__tasks__TodoWrite` and `todo-write` are all `todowrite`. */
function plainToolName(tool: string): string {
  const last = tool.split(/__|[.:/]/u).at(-1) ?? tool;
  return last.toLowerCase().replaceAll(/[_-]/gu, '');
}

function writtenPlan(element: Element): Plan | undefined {
  if (element.kind !== 'text' || element.role !== 'assistant') return undefined;
  if (element.rendered !== undefined || element.settled !== undefined) return undefined;
  const family = textFamily(element.text);
  if (family === undefined) return undefined;
  return {
    family,
    element,
    label: family === 'plan_cursor' ? 'current step of the plan, newest' : 'written plan, newest',
  };
}

function textFamily(text: string): 'written_plan' | 'plan_cursor' | undefined {
  if (text.length > MAX_PLAN_CHARS) return undefined;
  if (count(text, CHECKBOX) >= 2 || OPEN_ITEMS.test(text)) return 'written_plan';
  if (count(text, NUMBERED) >= 2 && announcesPlan(text)) return 'written_plan';
  return CURSOR.test(text) ? 'plan_cursor' : undefined;
}

/** A numbered list is a plan when the line above it says so. */
function announcesPlan(text: string): boolean {
  const start = text.search(NUMBERED);
  const above = text.slice(Math.max(0, start - MAX_HEADING_CHARS), start).trimEnd();
  return PLAN_WORD.test(above.slice(above.lastIndexOf('\n') + 1)) || /^\s*(?:step|phase)\b/iu.test(text.slice(start));
}

function count(text: string, pattern: RegExp): number {
  return [...text.matchAll(pattern)].length;
}
