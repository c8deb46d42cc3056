import fc from 'fast-check';
import { arbitraryMessages, arbitrarySource, listKeyOf, words } from '../../test/arbitrary-window';
import { rendered, windowOf } from '../../test/windows';
import { member, parseJson, sourceOf, type JsonNode } from '../json';
import { FORMAT_NAMES, type FormatName } from '../terms';
import type { Part, ReadWindow } from '../window/element';
import { findJson } from './find-json';
import { DEFAULT_READ_LIMITS, formatOf } from './index';
import { replaceLoneSurrogates, replaceLoneSurrogatesInJson } from './lone-surrogates';

/** Parts that leave together: a message's calls and their results; any other part alone. */
function unitsOf(window: ReadWindow): number[][] {
  const units = new Map<string, number[]>();
  for (const part of window.parts) {
    const call = part.kind === 'call' ? part : window.parts[part.result?.call ?? -1];
    const key = call === undefined ? `part ${String(part.index)}` : `calls of ${String(call.message)}`;
    units.set(key, [...(units.get(key) ?? []), part.index]);
  }
  return [...units.values()];
}

function messageSources(format: FormatName, source: string): string[] {
  const root = parseJson(source);
  const list: JsonNode | undefined = root.kind === 'array' ? root : member(root, listKeyOf(format));
  return list?.kind === 'array' ? list.items.map((item) => sourceOf(source, item)) : [];
}

/** What a part says after a pass: provider formats replace lone surrogates, which a tool's input holds as escapes. */
function said(format: FormatName, part: Part): string {
  if (format === 'elements') return part.text;
  const isWritten =
    ['openai-chat', 'openai-responses'].includes(format) || (part.kind !== 'call' && part.kind !== 'result');
  const isSourceText = !isWritten && (part.kind === 'call' || findJson(part.text)?.kind === 'object');
  return isSourceText ? replaceLoneSurrogatesInJson(part.text) : replaceLoneSurrogates(part.text);
}

/** Formats in which what is inserted may become part of its neighbour. */
const JOINS_NEIGHBOURS: readonly FormatName[] = ['gemini', 'bedrock-converse'];

const pinned = { beforeMessage: 0, role: 'user', text: 'block', id: 'holdfast-block' } as const;

describe.each(FORMAT_NAMES)('%s', (format) => {
  const sources = arbitrarySource(format);

  it('renders a window without changes as its source, byte for byte', () => {
    fc.assert(fc.property(sources, (source) => rendered(windowOf(format, source), {}) === source));
  });

  it('never throws, whatever JSON the messages are', () => {
    fc.assert(
      fc.property(arbitraryMessages, (source) => {
        const text = JSON.stringify(source);
        const answer = formatOf(format).read(text, DEFAULT_READ_LIMITS);
        if (answer.kind === 'window') {
          windowOf(format, rendered(answer.window, { inserted: [pinned] }));
        }
        expect(Array.isArray(formatOf(format).validate(text))).toBe(true);
      }),
    );
  });

  it('accepts its own windows', () => {
    fc.assert(
      fc.property(sources, (source) => {
        expect(formatOf(format).validate(source)).toEqual([]);
      }),
    );
  });

  it('keeps the bytes of every message and of the request around an insertion', () => {
    fc.assert(
      fc.property(sources, fc.nat(), (source, place) => {
        const window = windowOf(format, source);
        const beforeMessage = place % (window.messages.length + 1);
        const output = rendered(window, { inserted: [{ ...pinned, beforeMessage }] });
        if (JOINS_NEIGHBOURS.includes(format)) {
          const texts = windowOf(format, output).parts.map(({ text }) => text);
          const kept = window.parts.map((part) => said(format, part));
          expect(texts.toSpliced(texts.indexOf(pinned.text), 1)).toEqual(kept);
        } else {
          const kept = messageSources(format, source).map((text) =>
            format === 'elements' ? text : replaceLoneSurrogatesInJson(text),
          );
          const written = messageSources(format, output);
          expect(written.filter((text) => !text.includes('"block"'))).toEqual(kept);
        }
        const before = windowOf(format, output).parts.findIndex(({ text }) => text === pinned.text);
        expect(before).toBe(window.messages[beforeMessage]?.parts[0] ?? window.parts.length);
        if (!source.startsWith('[')) expect(output.endsWith('"tools":[{"n":1.0}], "temperature":1.0}')).toBe(true);
      }),
    );
  });

  it('puts other text in place of any editable part and nothing else', () => {
    fc.assert(
      fc.property(sources, fc.nat(), words, (source, pick, text) => {
        const window = windowOf(format, source);
        const editable = window.parts.filter((part) => part.editable);
        const part = editable[pick % editable.length];
        fc.pre(part !== undefined);
        const output = windowOf(format, rendered(window, { replaced: [[part.index, text]] }));
        const expected = window.parts.map((other) =>
          other.index === part.index ? replaceLoneSurrogates(text) : said(format, other),
        );
        expect(output.parts.map(({ text: words }) => words)).toEqual(expected);
        expect(output.source.split('"x_number"').length).toBe(source.split('"x_number"').length);
      }),
    );
  });

  it('stays acceptable when any whole units leave, and the rest stays in order', () => {
    fc.assert(
      fc.property(sources, fc.array(fc.boolean(), { minLength: 30, maxLength: 30 }), (source, picks) => {
        const window = windowOf(format, source);
        const dropped = unitsOf(window)
          .filter((_, index) => picks[index % picks.length])
          .flat();
        const output = rendered(window, { dropped, inserted: [pinned] });
        expect(formatOf(format).validate(output)).toEqual([]);
        const stays = (part: Part): boolean => !dropped.includes(part.index);
        const left = windowOf(format, output).parts.slice(1);
        expect(left.map(({ text }) => text)).toEqual(window.parts.filter(stays).map((part) => said(format, part)));
        expect(left.map(({ call }) => call?.callId)).toEqual(
          window.parts.filter(stays).map(({ call }) => call?.callId),
        );
      }),
    );
  });
});
