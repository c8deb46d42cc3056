import {
  closestWord,
  CONTRACT_PACKS,
  contractsOfPack,
  findPack,
  lintContracts,
  readContractDocument,
  type ToolContracts,
} from '@holdfast/core';
import { CliError } from '../cli-error';
import { readJsonDocument } from './json-document';

/** Reads tool contracts, an object by tool name. Throws CliError that names file, place and problem. */
export function loadToolContracts(path: string): ToolContracts {
  const document = readJsonDocument(path);
  const wrong = lintContracts(document).find(({ severity }) => severity === 'error');
  if (wrong !== undefined) {
    throw new CliError(
      `${path}: ${wrong.path === '' ? 'the document' : wrong.path}: ${wrong.message} (${wrong.code}).`,
    );
  }
  return readContractDocument(document).contracts;
}

/**
 * Contracts of packs that the owner names: `NAME`, or `NAME:PREFIX` where the agent's tools carry a prefix
 * (`mcp-github:mcp__github__`). Throws CliError for a pack that there is not.
 */
export function loadPacks(names: readonly string[]): ToolContracts {
  return Object.fromEntries(names.flatMap((word) => Object.entries(packContracts(word))));
}

function packContracts(word: string): ToolContracts {
  const [name = '', prefix = ''] = word.split(':', 2);
  const pack = findPack(name);
  if (pack !== undefined) return contractsOfPack(pack, prefix);
  const near = closestWord(
    name,
    CONTRACT_PACKS.map((known) => known.name),
  );
  const hint = near === undefined ? '"holdfast contracts packs" lists them.' : `Did you mean "${near}"?`;
  throw new CliError(`There is no pack "${name}". ${hint}`, 2);
}
