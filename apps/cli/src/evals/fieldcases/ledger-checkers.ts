import { type StoredEffect, verifyReceipt } from '@holdfast/core';
import { isObject, jsonOf, type JsonObject, listOf, objectOf, textOf } from '../json-values';
import { hasWhole } from '../whole-token';
import { flatWindow } from '../window-text';
import { type Checkers, ofOutput, quoted } from './checker';
import { messagesOf } from './field-case';
import type { PlayedCase } from './play-case';

/** Words of a case for statuses of ours. */
const STATUSES: Readonly<Record<string, readonly string[]>> = {
  done: ['succeeded'],
  pending: ['fired'],
  running: ['fired'],
  unknown: ['unknown', 'fired'],
};

/** Effects, plans and what stands for calls that left; nothing here depends on the wording of the window. */
export const LEDGER_CHECKERS: Checkers = {
  ledger({ session }, expected) {
    const missing = listOf(expected)
      .map(objectOf)
      .filter((entry) => !session.effects.some((effect) => isEntry(effect, entry)));
    if (missing.length === 0) return undefined;
    const known = session.effects.map(({ action, target, status }) => `${action} | ${target} | ${status}`).join('; ');
    return `not in the ledger: ${JSON.stringify(missing)}; it has ${known || 'nothing'}`;
  },

  ledger_targets({ session }, expected) {
    const missing = listOf(expected).filter(
      (target) => !session.effects.some((effect) => typeof target === 'string' && hasTarget(effect, target)),
    );
    return missing.length === 0 ? undefined : `no effect on ${JSON.stringify(missing)}`;
  },

  effect_status(played, expected) {
    const problems = listOf(expected)
      .map(objectOf)
      .flatMap((entry) => {
        const callId = textOf(entry['call_id']) ?? '';
        const effect = effectOfCall(played, callId);
        if (effect === undefined) return [`${callId} is no effect`];
        return hasStatus(effect, entry['status']) ? [] : [`${callId} is ${effect.status} (${effect.evidence})`];
      });
    return problems.length === 0 ? undefined : problems.join('; ');
  },

  statuses({ session }, expected) {
    const plans = session.records.filter(({ kind }) => kind === 'plan').map(({ content }) => content);
    const missing = Object.entries(objectOf(expected)).filter(
      ([step, status]) => typeof status === 'string' && !plans.some((plan) => saysStatus(plan, step, status)),
    );
    return missing.length === 0 ? undefined : `no plan record says ${JSON.stringify(Object.fromEntries(missing))}`;
  },

  plan({ session }, expected) {
    const plans = session.records.filter(({ kind }) => kind === 'plan').map(({ content }) => content);
    const missing = wordsOf(expected).filter((word) => !plans.some((plan) => plan.includes(word)));
    return missing.length === 0 ? undefined : `no plan record holds ${quoted(missing)}`;
  },

  allow_repeat({ session }, expected) {
    const actions = wordsOf(expected);
    const settled = session.effects.filter(
      ({ action, status, keySource }) => actions.includes(action) && status === 'succeeded' && keySource === 'declared',
    );
    return settled.length === 0 ? undefined : `a declared key would stop ${settled[0]?.action ?? ''}`;
  },

  tombstone: ofOutput((output, played, expected) => standsFor(output, played, listOf(expected))),
  kept_or_tombstone: ofOutput((output, played, expected) => standsFor(output, played, listOf(expected))),

  history_intact({ outcomes, givenSource }) {
    const [first] = outcomes;
    if (first?.outcome !== 'compacted') return undefined;
    const { receipt, window } = first.proven;
    const [finding] = verifyReceipt(receipt, { input: givenSource, output: window });
    return finding === undefined ? undefined : `the receipt does not hold: ${JSON.stringify(finding)}`;
  },

  final: ofOutput((output, _, expected) => {
    const { history_contains_once: once, history_lacks: lacks, last_message: last, ...others } = objectOf(expected);
    const text = flatWindow(output);
    const repeated = wordsOf(once).filter((word) => text.split(word).length !== 2);
    if (repeated.length > 0) return `not exactly once in the window: ${quoted(repeated)}`;
    const found = wordsOf(lacks).filter((word) => text.includes(word));
    if (found.length > 0) return `in the window: ${quoted(found)}`;
    if (typeof last === 'string' && messagesOf(output).at(-1)?.['content'] !== last) return 'another last message';
    const unchecked = Object.keys(others);
    return unchecked.length === 0 ? undefined : `cannot check here: ${quoted(unchecked)}`;
  }),
};

function isEntry(effect: StoredEffect, entry: JsonObject): boolean {
  const { action, target, idempotency_key: key, status } = entry;
  return (
    (action === undefined || effect.action === action) &&
    (target === undefined || (typeof target === 'string' && hasTarget(effect, target))) &&
    (key === undefined || effect.idempotencyKey === key) &&
    (status === undefined || hasStatus(effect, status))
  );
}

function hasTarget(effect: StoredEffect, target: string): boolean {
  return effect.target === target || hasWhole(effect.target, target);
}

function hasStatus(effect: StoredEffect, status: unknown): boolean {
  if (typeof status !== 'string') return false;
  return effect.statusRaw === status || (STATUSES[status] ?? [status]).includes(effect.status);
}

/** The effect of a call, found by the element that the first receipt names at the call's place. */
function effectOfCall({ given, outcomes, session }: PlayedCase, callId: string): StoredEffect | undefined {
  const [first] = outcomes;
  const receipt = first?.outcome === 'compacted' ? first.proven.receipt : first?.receipt;
  const part = given.parts.find(({ call }) => call?.callId === callId);
  const id = receipt?.elements.find(({ path }) => path === part?.path)?.element_id;
  return session.effects.find(({ occurrence }) => occurrence === id);
}

function saysStatus(plan: string, step: string, status: string): boolean {
  const document = jsonOf(plan);
  if (document !== undefined && itemSays(document, step, status)) return true;
  return plan.split('\n').some((line) => line.includes(step) && line.toLowerCase().includes(status.toLowerCase()));
}

function itemSays(value: unknown, step: string, status: string): boolean {
  if (Array.isArray(value)) return value.some((item) => itemSays(item, step, status));
  if (!isObject(value)) return false;
  const words = Object.values(value);
  return (words.includes(step) && words.includes(status)) || words.some((item) => itemSays(item, step, status));
}

function wordsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(wordsOf);
  return isObject(value) ? Object.values(value).flatMap(wordsOf) : [];
}

/** Each call stands in the window, or something there names its tool, says what it must, and shows a way back. */
function standsFor(output: string, { given }: PlayedCase, entries: readonly unknown[]): string | undefined {
  const text = flatWindow(output);
  const missing = entries.filter((entry) => {
    const item = objectOf(entry);
    const callId = textOf(entry) ?? textOf(item['call_id']) ?? '';
    const tool = given.parts.find(({ call }) => call?.callId === callId)?.call?.tool ?? callId;
    const says = wordsOf(item['says']);
    return !text.includes(callId) && !(text.includes(tool) && says.every((word) => text.includes(word)));
  });
  return missing.length === 0 ? undefined : `nothing stands for ${JSON.stringify(missing)}`;
}
