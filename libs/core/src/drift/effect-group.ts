import { findCriticalFields } from '../seal';
import { actionWords, type ActionWords } from './action-words';
import type { DriftEffect, DriftSource } from './drift-finding';
import { contentStems } from './stems';

/** How an effect ended, as far as a summary may get it wrong. */
export type Ending = 'done' | 'failed' | 'open';

/** Effects of one action; a summary may speak of all of them at once. */
export interface EffectGroup {
  readonly effects: readonly DriftEffect[];
  readonly endings: ReadonlySet<Ending>;
  readonly words: ActionWords;
  /** Targets that no other action has: naming one speaks of this action. */
  readonly ownTargets: readonly string[];
  /** Names and codes of its calls that stand in no call of another action. */
  readonly callValues: ReadonlySet<string>;
  /** Those of them that nobody named before the call: naming one speaks of this action. */
  readonly ownValues: ReadonlySet<string>;
  /** Stems of all that its calls say. */
  readonly callStems: ReadonlySet<string>;
}

const DONE_STATUS = /^(?:done|succeeded|success|completed?|applied|ok|finished)\b/i;
const FAILED_STATUS = /^(?:failed|failure|declined|rejected|error|aborted|cancelled|canceled|denied)\b/i;
const CAPITALISED = /(?<![\p{L}\p{N}_])\p{Lu}[\p{L}]{3,24}(?: \d{1,5})?(?![\p{L}\p{N}_])/gu;
/** Calls longer than this carry content; their beginning names what they are for. */
const CALL_LENGTH = 2_000;
const SHORTEST_VALUE = 4;
/** Values of an action's calls that are looked for, and how much of what came before is searched. */
const MAX_VALUES = 60;
const EARLIER_LENGTH = 300_000;

/** Effects by action, in the order of their first one. */
export function groupEffects(effects: readonly DriftEffect[], sources: readonly DriftSource[]): readonly EffectGroup[] {
  const groups = new Map<string, DriftEffect[]>();
  for (const effect of effects) groups.set(effect.action, [...(groups.get(effect.action) ?? []), effect]);
  const owners = new Map<string, Set<string>>();
  for (const { action, target } of effects) owners.set(target, (owners.get(target) ?? new Set<string>()).add(action));
  const calls = new Map([...groups.keys()].map((action) => [action, callsOf(action, sources)] as const));
  const places = new Map<string, number>();
  for (const text of calls.values())
    for (const value of valuesOf(text)) places.set(value, (places.get(value) ?? 0) + 1);
  return [...groups].map(([action, own]) => {
    const text = calls.get(action) ?? '';
    const callValues = new Set([...valuesOf(text)].filter((value) => places.get(value) === 1));
    const earlier = textBefore(action, sources);
    return {
      effects: own,
      ownTargets: own.map(({ target }) => target).filter((target) => owners.get(target)?.size === 1),
      endings: new Set(own.map(({ status }) => endingOf(status))),
      words: actionWords(action),
      callValues,
      ownValues: new Set([...callValues].filter((value) => !earlier.includes(value))),
      callStems: new Set(contentStems(text)),
    };
  });
}

export function endingOf(status: string): Ending {
  if (DONE_STATUS.test(status)) return 'done';
  return FAILED_STATUS.test(status) ? 'failed' : 'open';
}

/** The calls of an action, found by its name. */
function callsOf(action: string, sources: readonly DriftSource[]): string {
  return sources
    .filter((source) => isCallOf(action, source))
    .map(({ text }) => text.slice(0, CALL_LENGTH))
    .join('\n');
}

function textBefore(action: string, sources: readonly DriftSource[]): string {
  const first = sources.findIndex((source) => isCallOf(action, source));
  const earlier = first === -1 ? [] : sources.slice(0, first).map(({ text }) => text);
  return earlier.join('\n').slice(-EARLIER_LENGTH);
}

function isCallOf(action: string, { kind, text }: DriftSource): boolean {
  const [tool = action] = action.split(' ');
  return kind === 'tool_call' && text.slice(0, CALL_LENGTH).includes(tool);
}

function valuesOf(text: string): ReadonlySet<string> {
  const fields = findCriticalFields(text).filter(
    ({ kind }) => kind !== 'number' && kind !== 'amount' && kind !== 'date',
  );
  const names = [...text.matchAll(CAPITALISED)].map(([name]) => name);
  const values = [...fields.map(({ value }) => value), ...names].filter((value) => value.length >= SHORTEST_VALUE);
  return new Set(values.slice(0, MAX_VALUES));
}
