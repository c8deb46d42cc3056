import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { FORMAT_NAMES, type FormatName } from '@holdfast/core';
import { CliError } from '../../cli-error';
import { readJsonFile } from '../../inputs/text-file';
import { isObject, type JsonObject, listOf, numberOf, objectOf, textOf } from '../json-values';

/** A small window with what must hold after a pass. */
export interface FieldCase {
  readonly id: string;
  readonly kind: string;
  readonly format: string;
  readonly window: readonly unknown[];
  readonly tools: readonly unknown[];
  readonly budget: number;
  /** The case is run at each of these, too, so that the cut falls everywhere. */
  readonly budgets: readonly number[];
  /** Tokens of window and tools by the counter that the budgets were made with. */
  readonly approxTokens: number;
  readonly given: JsonObject;
  readonly expect: JsonObject;
}

/** Kinds whose machinery is a server: nothing of them can be played in one process. */
export const SERVER_KINDS: ReadonlySet<string> = new Set([
  'queue',
  'redis-memory',
  'alerts',
  'dashboard',
  'crash',
  'concurrency',
  'multi-tenant',
]);

/** The cases of a folder, or of its folder `cases`, by id. Throws CliError when there are none. */
export function loadFieldCases(folder: string): readonly FieldCase[] {
  const cases = join(folder, 'cases');
  const holder = existsSync(cases) ? cases : folder;
  if (!existsSync(holder)) throw new CliError(`${folder}: there is no such folder.`);
  const found = readdirSync(holder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => readJsonFile(join(holder, name)))
    .filter((value) => isObject(value))
    .filter((value) => Array.isArray(value['window']) && isObject(value['expect']))
    .map(fieldCase);
  if (found.length === 0) throw new CliError(`${folder} holds no cases ({id, kind, format, window, budget, expect}).`);
  return found;
}

function fieldCase(value: JsonObject): FieldCase {
  const approx = objectOf(value['approx_tokens']);
  return {
    id: textOf(value['id']) ?? '',
    kind: textOf(value['kind']) ?? '',
    format: textOf(value['format']) ?? '',
    window: listOf(value['window']),
    tools: listOf(value['tools']),
    budget: numberOf(value['budget']) ?? 0,
    budgets: listOf(value['budgets']).filter((budget) => typeof budget === 'number'),
    approxTokens: (numberOf(approx['window']) ?? 0) + (numberOf(approx['tools']) ?? 0),
    given: objectOf(value['given']),
    expect: objectOf(value['expect']),
  };
}

/** The case's format, when the core has it. */
export function knownFormat(name: string): FormatName | undefined {
  return FORMAT_NAMES.find((known) => known === name);
}

/** The member that holds the list of messages where the window is a request. */
const LIST_KEYS: Readonly<Record<string, string>> = {
  elements: 'elements',
  'openai-responses': 'input',
  gemini: 'contents',
};

/** The case's window as source text: a list, or a request where it has tools. */
export function sourceOfCase({ window, tools, format }: FieldCase): string {
  return JSON.stringify(tools.length === 0 ? window : { [LIST_KEYS[format] ?? 'messages']: window, tools });
}

/** The messages of a serialized window. */
export function messagesOf(source: string): readonly JsonObject[] {
  const value = JSON.parse(source) as unknown;
  const request = objectOf(value);
  const list = Array.isArray(value)
    ? value
    : (request['messages'] ?? request['elements'] ?? request['input'] ?? request['contents']);
  return listOf(list).map(objectOf);
}

/** The source with messages behind its own; everything that it has leaves as it is. */
export function withMessages(source: string, messages: readonly unknown[]): string {
  const value = JSON.parse(source) as unknown;
  if (Array.isArray(value)) return JSON.stringify([...(value as unknown[]), ...messages]);
  const request = objectOf(value);
  const key = ['messages', 'elements', 'input', 'contents'].find((name) => Array.isArray(request[name])) ?? 'messages';
  return JSON.stringify({ ...request, [key]: [...listOf(request[key]), ...messages] });
}
