import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { CliError } from '../../cli-error';
import { readJsonFile } from '../../inputs/text-file';
import { isObject, type JsonObject, listOf, numberOf, objectOf, textOf, textsOf } from '../json-values';

/** A place where a summary says something else than its source; `start` is -1 for what it leaves out. */
export interface DriftLabel {
  readonly kind: string;
  readonly expected: string | undefined;
  readonly observed: string | undefined;
  readonly start: number;
  readonly end: number;
}

/** A summary of real messages with every drift in it. */
export interface DriftCase {
  readonly id: string;
  readonly elements: readonly { readonly id: string; readonly text: string }[];
  readonly summary: string;
  readonly constraints: readonly string[];
  readonly faithful: boolean;
  readonly drift: readonly DriftLabel[];
  readonly note: string;
}

/** The drift cases of a folder, by id. Throws CliError when there are none. */
export function loadDriftCases(folder: string): readonly DriftCase[] {
  if (!existsSync(folder) || !statSync(folder).isDirectory()) throw new CliError(`${folder} is no folder.`);
  const cases = readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => readJsonFile(join(folder, name)))
    .filter((value) => isObject(value))
    .filter((value) => typeof value['summary'] === 'string' && Array.isArray(value['elements']))
    .map(driftCase);
  if (cases.length === 0) throw new CliError(`${folder} holds no drift cases ({id, elements, summary, drift}).`);
  return cases;
}

function driftCase(value: JsonObject): DriftCase {
  return {
    id: textOf(value['id']) ?? '',
    elements: listOf(value['elements'])
      .map(objectOf)
      .map((element) => ({ id: textOf(element['id']) ?? '', text: textOf(element['text']) ?? '' })),
    summary: textOf(value['summary']) ?? '',
    constraints: textsOf(value['constraints']),
    faithful: value['faithful'] === true,
    drift: listOf(value['drift'])
      .map(objectOf)
      .map((label) => ({
        kind: textOf(label['kind']) ?? '',
        expected: textOf(label['expected']),
        observed: textOf(label['observed']),
        start: numberOf(label['start']) ?? -1,
        end: numberOf(label['end']) ?? -1,
      })),
    note: textOf(value['note']) ?? '',
  };
}
