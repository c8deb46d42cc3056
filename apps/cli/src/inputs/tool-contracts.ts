import { type ToolContract, type ToolContracts, validateToolContracts } from '@holdfast/core';
import { CliError } from '../cli-error';
import { readJsonFile } from './text-file';

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Enough of a contract to be checked by the core, which names every other problem. */
function isContract(value: unknown): value is ToolContract {
  const lists = ['key', 'target', 'keep', 'secret'];
  return (
    isObject(value) &&
    typeof value['effect'] === 'string' &&
    lists.every((name) => value[name] === undefined || isTextList(value[name])) &&
    (value['outcome'] === undefined || isOutcome(value['outcome']))
  );
}

function isTextList(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function isOutcome(value: unknown): boolean {
  const isConditions = (list: unknown): boolean => list === undefined || (Array.isArray(list) && list.every(isObject));
  return isObject(value) && isConditions(value['failed_when']) && isConditions(value['succeeded_when']);
}

/** Reads tool contracts, an object by tool name. Throws CliError that names file, place and problem. */
export function loadToolContracts(path: string): ToolContracts {
  const value = readJsonFile(path);
  if (!isObject(value)) throw new CliError(`${path}: expected an object of contracts by tool name.`);
  const contracts: Record<string, ToolContract> = {};
  for (const [tool, contract] of Object.entries(value)) {
    if (!isContract(contract)) {
      throw new CliError(
        `${path}: the contract of "${tool}" needs an "effect", and lists of texts where it has lists.`,
      );
    }
    contracts[tool] = contract;
  }
  const [problem] = validateToolContracts(contracts);
  if (problem !== undefined) throw new CliError(`${path}: ${problem.path}: ${problem.message} (${problem.code}).`);
  return contracts;
}
