import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { CliError } from '../../cli-error';
import { readJsonFile } from '../../inputs/text-file';
import type { DriftConstraint, DriftPlan, DriftSource } from '@holdfast/core';
import { readCaseTable } from './case-table';
import type { DriftCase } from './labelled-summary';
import { isObject, type JsonObject, listOf, numberOf, objectOf, textOf } from '../json-values';

/** The drift cases of a folder, by id. Throws CliError when there are none. */
export function loadDriftCases(folder: string): readonly DriftCase[] {
  if (!existsSync(folder) || !statSync(folder).isDirectory()) throw new CliError(`${folder} is no folder.`);
  const names = readdirSync(folder).sort();
  const single = names
    .filter((name) => name.endsWith('.json'))
    .map((name) => readJsonFile(join(folder, name)))
    .filter((value) => isObject(value))
    .filter((value) => typeof value['summary'] === 'string' && Array.isArray(value['elements']))
    .map(driftCase);
  const tables = names.filter((name) => name.endsWith('.txt')).flatMap((name) => readCaseTable(join(folder, name)));
  const cases = [...single, ...tables];
  if (cases.length === 0) throw new CliError(`${folder} holds no drift cases ({id, elements, summary, drift}).`);
  return cases;
}

function driftCase(value: JsonObject): DriftCase {
  return {
    id: textOf(value['id']) ?? '',
    elements: listOf(value['elements']).map(objectOf).map(sourceOf),
    summary: textOf(value['summary']) ?? '',
    constraints: listOf(value['constraints']).map(constraintOf),
    plan: isObject(value['plan']) ? planOf(value['plan']) : undefined,
    effects: listOf(value['effects'])
      .map(objectOf)
      .map((effect) => ({
        action: textOf(effect['action']) ?? '',
        target: textOf(effect['target']) ?? '',
        idempotencyKey: textOf(effect['idempotency_key']) ?? null,
        status: textOf(effect['status']) ?? '',
      })),
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

function sourceOf(element: JsonObject): DriftSource {
  const role = textOf(element['role']);
  const kind = textOf(element['kind']);
  return {
    id: textOf(element['id']) ?? '',
    text: textOf(element['text']) ?? '',
    ...(role === undefined ? {} : { role }),
    ...(kind === undefined ? {} : { kind }),
  };
}

/** A constraint may be given as its text alone; it is then not required in the summary. */
function constraintOf(value: unknown): DriftConstraint {
  if (typeof value === 'string') return { text: value, required: false };
  const constraint = objectOf(value);
  return { text: textOf(constraint['text']) ?? '', required: constraint['required_in_summary'] === true };
}

function planOf(plan: JsonObject): DriftPlan {
  return { step: numberOf(plan['step']) ?? 0, of: numberOf(plan['of']), text: textOf(plan['text']) ?? '' };
}
