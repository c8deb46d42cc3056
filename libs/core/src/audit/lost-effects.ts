import type { Classification } from '../classify/classified';
import { proveCommandReads } from '../classify/exec-reader';
import type { EffectDraft } from '../ports';
import { findCriticalFields } from '../seal';
import type { EffectStatus } from '../terms';
import type { Element } from '../window/element';
import type { AuditFinding } from './audit-report';
import type { SaidIn } from './said-in';

/** More effects of one tool than this are one finding: a list of thirty edits says no more. */
const MOST_SINGLE = 3;
/** What was not applied may be tried again, so that nobody has to know of it. */
const HARMLESS: ReadonlySet<EffectStatus> = new Set(['failed', 'declined', 'intended']);
/** Share of a target's words that must be said for the effect to count as told. */
const TOLD_SHARE = 0.6;

/** The effects of elements that left; what most likely only reads is none. */
export function effectsThatLeft(classification: Classification, left: readonly Element[]): readonly EffectDraft[] {
  const gone = new Map(left.map((element) => [element.id, element]));
  const rules = new Map(classification.elements.map(({ element, rule }) => [element.id, rule]));
  const plans = new Set(classification.records.flatMap(({ kind, elementId }) => (kind === 'plan' ? [elementId] : [])));
  // Writing a to-do list changes nothing but the list, and the list itself is looked for.
  const planTools = new Set(
    classification.effects.flatMap(({ occurrence, action }) => (plans.has(occurrence) ? [action] : [])),
  );
  return classification.effects.filter(({ occurrence, action }) => {
    const element = gone.get(occurrence);
    if (element === undefined) return false;
    if (rules.get(occurrence) === 'likely_read' || planTools.has(action)) return false;
    return element.call === undefined || proveCommandReads(element.call.args) === undefined;
  });
}

/** Actions that were fired and of which the window after says nothing: an agent that does not know repeats them. */
export function omittedEffects(
  effects: readonly EffectDraft[],
  left: readonly Element[],
  said: SaidIn,
): readonly AuditFinding[] {
  const elements = new Map(left.map((element) => [element.id, element]));
  const omitted = effects.filter((effect) => !HARMLESS.has(effect.status) && !isTold(effect, said));
  const byAction = new Map<string, EffectDraft[]>();
  for (const effect of omitted) {
    const group = byAction.get(effect.action);
    if (group === undefined) byAction.set(effect.action, [effect]);
    else group.push(effect);
  }
  return [...byAction.values()].flatMap((group): readonly AuditFinding[] => {
    if (group.length <= MOST_SINGLE) return group.map((effect) => omission([effect], elements));
    return [omission(group, elements)];
  });
}

/** An action is told by a value of its target or of what it returned, or by most words of what it did to what. */
function isTold({ action, target, kept }: EffectDraft, said: SaidIn): boolean {
  const values = findCriticalFields(target).map(({ value }) => value);
  if (values.some((value) => said.hasValue(value))) return true;
  if (kept.some((line) => said.hasValue(line.slice(line.indexOf(': ') + 2)))) return true;
  const deed = action.replaceAll(/([a-z\d])([A-Z])/gu, '$1 $2').replaceAll(/[_.-]+/gu, ' ');
  return said.shareOfWords(`${deed} ${target}`) >= TOLD_SHARE;
}

function omission(group: readonly EffectDraft[], elements: ReadonlyMap<string, Element>): AuditFinding {
  const [first] = group;
  const element = elements.get(first?.occurrence ?? '');
  const action = first?.action ?? '';
  const targets = [...new Set(group.map(({ target }) => target))].slice(0, MOST_SINGLE).join('; ');
  const many = group.length > 1;
  // A command or a tool that nobody declared may have been harmless; a declared write was not.
  const isWrite = group.some(({ kind }) => kind === 'write');
  return {
    kind: 'effect_omitted',
    severity: isWrite ? 'error' : 'warning',
    expected: `${action} | ${targets}${many ? ` | ${group.length} calls` : ` | ${first?.status ?? ''}`}`,
    observed: null,
    source: element === undefined ? null : { element_id: element.id, path: element.path },
    place: null,
    message: many
      ? `${group.length} calls of ${action} left no trace: the agent does not know that they were made`
      : `${action} was fired (${first?.status ?? ''}) and left no trace: the agent does not know that it was`,
    advice: `Pin one line per fired action (what, on what, how it ended), or declare the tool as a read if it is one.`,
    count: group.length,
  };
}
