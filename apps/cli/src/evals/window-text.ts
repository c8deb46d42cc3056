import { DEFAULT_READ_LIMITS, formatOf, type FormatName, type ReadWindow, InvalidWindowError } from '@holdfast/core';
import { containerOf, jsonOf, stringsIn } from './json-values';

/** What a part's text holds: the text, and the strings of the JSON in it. */
export function readableText(text: string): string {
  // An archived unit of several messages is their sources, joined by commas.
  const value = containerOf(text) ?? (text.trimStart().startsWith('{') ? jsonOf(`[${text}]`) : undefined);
  return value === undefined ? text : `${text}\n${[...stringsIn(value)].join('\n')}`;
}

/** Every string of a serialized window, and the strings of JSON arguments inside it. */
export function flatWindow(source: string): string {
  const strings: string[] = [];
  for (const text of stringsIn(jsonOf(source))) {
    strings.push(text);
    const inner = containerOf(text);
    if (inner !== undefined) strings.push(...stringsIn(inner));
  }
  return strings.join('\n');
}

/** Reads a window; throws InvalidWindowError when it cannot be read, undefined when its provider holds a part of it. */
export function readWindow(format: FormatName, source: string): ReadWindow | undefined {
  const answer = formatOf(format).read(source, DEFAULT_READ_LIMITS);
  if (answer.kind === 'invalid') throw new InvalidWindowError(answer.problems);
  return answer.kind === 'window' ? answer.window : undefined;
}

/** Names of the tools that a window calls. */
export function toolsCalled(window: ReadWindow): readonly string[] {
  return [...new Set(window.parts.flatMap((part) => (part.call === undefined ? [] : [part.call.tool])))];
}
