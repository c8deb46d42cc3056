import { hasWhole } from '../whole-token';
import { isDeepStrictEqual } from 'node:util';
import { shownHandles } from '@holdfast/core';
import {
  containerOf,
  isObject,
  jsonOf,
  type JsonObject,
  listOf,
  objectOf,
  stringsIn,
  textOf,
  textsOf,
} from '../json-values';
import { flatWindow, readableText, readWindow } from '../window-text';
import { type Checkers, ofOutput, quoted } from './checker';
import { messagesOf } from './field-case';
import type { PlayedCase } from './play-case';

/** Texts that must stand in the window, or must not stand anywhere. */
export const TEXT_CHECKERS: Checkers = {
  verbatim: ofOutput((output, _, expected) => {
    const text = flatWindow(output);
    const lost = textsOf(expected).filter((value) => !text.includes(value));
    return lost.length === 0 ? undefined : `not in the window: ${quoted(lost)}`;
  }),

  verbatim_numbers: ofOutput((output, _, expected) => {
    const text = flatWindow(output);
    const lost = listOf(expected)
      .map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
      .filter((value) => !text.includes(value) && !output.includes(value));
    return lost.length === 0 ? undefined : `not in the window: ${quoted(lost)}`;
  }),

  verbatim_or_ref: ofOutput(async (output, { store }, expected) => {
    const text = flatWindow(output);
    const originals: string[] = [];
    for (const handle of shownHandles(text)) {
      const original = await store.findOriginal(handle);
      if (original !== undefined) originals.push(readableText(original.text));
    }
    const lost = textsOf(expected).filter((value) => ![text, ...originals].some((where) => where.includes(value)));
    return lost.length === 0 ? undefined : `neither in the window nor behind a mark: ${quoted(lost)}`;
  }),

  absent(played, expected) {
    const text = `${played.output === undefined ? '' : flatWindow(played.output)}\n${persistedText(played)}`;
    // A digest or handle may hold a short number by chance.
    const found = textsOf(expected).filter((value) => hasWhole(text, value));
    return found.length === 0 ? undefined : `in the window or the store: ${quoted(found)}`;
  },

  absent_in_persisted(played, expected) {
    const text = persistedText(played);
    const found = textsOf(expected).filter((value) => text.includes(value));
    return found.length === 0 ? undefined : `in records, ledger, summaries, receipts or notices: ${quoted(found)}`;
  },

  last_user_verbatim: ofOutput((output, { fieldCase }) => {
    const newest = fieldCase.window.map(objectOf).findLast(isRequest);
    if (newest === undefined) return undefined;
    const parts = wordsAndPictures(newest);
    const standing = messagesOf(output)
      .filter(({ role }) => role === 'user')
      .flatMap(wordsAndPictures);
    const lost = parts.filter((part) => !standing.some((other) => isDeepStrictEqual(other, part)));
    return lost.length === 0 ? undefined : `the newest request lost ${JSON.stringify(lost).slice(0, 160)}`;
  }),

  system_verbatim: ofOutput((output, { givenSource }) => {
    const given = systemOf(givenSource);
    return isDeepStrictEqual(systemOf(output).slice(0, given.length), given) ? undefined : 'the system text changed';
  }),

  system_count: ofOutput((output, _, expected) => {
    const count = systemOf(output).length;
    return count === expected ? undefined : `${count} system messages`;
  }),

  keep_last_messages: ofOutput((output, { givenSource }, expected) => {
    const count = typeof expected === 'number' ? expected : 0;
    const last = messagesOf(givenSource).slice(-count);
    return isDeepStrictEqual(messagesOf(output).slice(-count), last) ? undefined : `the last ${count} messages changed`;
  }),

  images_kept: ofOutput((output, { fieldCase }, expected) => {
    const kept = new Set(stringsIn(jsonOf(output)));
    const lost = listOf(expected).filter((index) => {
      const message = typeof index === 'number' ? fieldCase.window[index] : undefined;
      return picturesIn(message).some((picture) => !kept.has(picture));
    });
    return lost.length === 0 ? undefined : `pictures of messages ${JSON.stringify(lost)} are gone`;
  }),

  not_in_roles: ofOutput((output, { format }, expected) => {
    const { text, roles } = objectOf(expected);
    const window = readWindow(format, output);
    const found = window?.parts.find(
      (part) => part.kind === 'text' && textsOf(roles).includes(part.role) && part.text.includes(textOf(text) ?? '\0'),
    );
    return found === undefined ? undefined : `stands in the role ${found.role} at ${found.path}`;
  }),

  frame_balanced: ofOutput((output) => {
    const text = flatWindow(output);
    const opened = text.split('<holdfast ').length;
    const closed = text.split('</holdfast>').length;
    return opened === closed ? undefined : `${opened - 1} blocks opened, ${closed - 1} closed`;
  }),

  wellformed: ofOutput((output) =>
    [...stringsIn(jsonOf(output))].every((text) => text.isWellFormed()) ? undefined : 'half a surrogate pair is left',
  ),

  storable_postgres: ofOutput((output) => {
    const texts = [...stringsIn(jsonOf(output)), ...keysIn(jsonOf(output))];
    const storable = texts.every((text) => text.isWellFormed() && !text.includes('\0'));
    return storable ? undefined : 'a text column would not take the window';
  }),
};

/** Everything that a pass writes besides originals: what logs, alerts and screens are made from. */
function persistedText({ session, store, outcomes }: PlayedCase): string {
  const receipts = outcomes.map((outcome) =>
    outcome.outcome === 'compacted' ? outcome.proven.receipt : { receipt: outcome.receipt, notices: outcome.notices },
  );
  const refusals = outcomes.map((outcome) => (outcome.outcome === 'refused' ? outcome.refusal : undefined));
  const written = [session.records, session.effects, store.segmentTexts, receipts, refusals];
  return [...stringsIn(written)].join('\n');
}

/** A message in the user's role that says something itself: not only results, not machine-made. */
function isRequest(message: JsonObject): boolean {
  if (message['role'] !== 'user' || message['synthetic'] === true || message['compaction'] === true) return false;
  return wordsAndPictures(message).length > 0;
}

function wordsAndPictures(message: JsonObject): readonly unknown[] {
  const { content } = message;
  if (typeof content === 'string') return content === '' ? [] : [content];
  return listOf(content)
    .map(objectOf)
    .filter((part) => !(textOf(part['type']) ?? '').includes('result') && part['text'] !== '')
    .map((part) => textOf(part['text']) ?? part);
}

function systemOf(source: string): readonly unknown[] {
  const request = objectOf(jsonOf(source));
  const messages = messagesOf(source).filter(({ role }) => role === 'system' || role === 'developer');
  return [...(request['system'] === undefined ? [] : [request['system']]), ...messages];
}

function keysIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(keysIn);
  return isObject(value) ? Object.entries(value).flatMap(([key, item]) => [key, ...keysIn(item)]) : [];
}

/** Data of the pictures in a message, at any depth. */
function picturesIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(picturesIn);
  if (!isObject(value)) return [];
  const type = textOf(value['type']) ?? '';
  if (type.includes('image')) return [...stringsIn(value)].filter((text) => text.length > 40);
  return Object.values(value).flatMap((item) =>
    typeof item === 'string' ? picturesIn(containerOf(item)) : picturesIn(item),
  );
}
