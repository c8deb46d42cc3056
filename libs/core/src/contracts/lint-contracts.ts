import type { ToolContract } from '../classify/tool-contract';
import { validateToolContracts } from '../classify/validate-tool-contracts';
import { jsonPointer, type JsonNode } from '../json';
import { EFFECT_KINDS } from '../terms';
import { closestWord } from './closest-word';
import { readContractDocument } from './contract-document';
import type { ContractFinding, LintCode } from './contract-finding';
import { nameWords } from './name-words';
import { pathMissing } from './schema-paths';
import type { ToolDefinition } from './tool-definition';
import { isChangingWord } from './verb-words';

const EFFECTS = ['pure', 'read', ...EFFECT_KINDS];

/**
 * Everything about a document of contracts that is wrong or probably not meant. With the definitions of the tools their
 * schemas are looked into, too: names that no tool has, tools that nothing declares, paths that match no argument.
 */
export function lintContracts(
  document: JsonNode,
  definitions: readonly ToolDefinition[] = [],
): readonly ContractFinding[] {
  const { contracts, findings } = readContractDocument(document);
  const definitionOf = new Map(definitions.map((definition) => [definition.name, definition]));
  const names = [...definitionOf.keys()];
  const declared = Object.entries(contracts);
  const problems = validateToolContracts(contracts).map((problem): ContractFinding => {
    const effect = problem.code === 'EFFECT_UNKNOWN' ? contracts[toolOf(problem.path, declared)]?.effect : undefined;
    const near = effect === undefined ? undefined : closestWord(effect, EFFECTS);
    return { ...problem, severity: 'error', message: near === undefined ? problem.message : `did you mean "${near}"?` };
  });
  return [
    ...findings,
    ...problems,
    ...declared.flatMap(([tool, contract]) => contractFindings(tool, contract, definitionOf.get(tool))),
    ...(names.length === 0 ? [] : declared.flatMap(([tool]) => unknownTool(tool, definitionOf, names))),
    ...names.filter((name) => !Object.hasOwn(contracts, name)).map(undeclared),
  ];
}

function toolOf(path: string, declared: readonly (readonly [string, ToolContract])[]): string {
  return declared.find(([tool]) => path.startsWith(`${jsonPointer([tool])}/`))?.[0] ?? '';
}

function contractFindings(
  tool: string,
  contract: ToolContract,
  definition: ToolDefinition | undefined,
): readonly ContractFinding[] {
  const pointer = jsonPointer([tool]);
  const found: ContractFinding[] = [];
  const add = (code: LintCode, severity: ContractFinding['severity'], path: string, message: string): void => {
    found.push({ code, severity, path: `${pointer}${path}`, message });
  };
  const { effect, scope } = contract;
  if (scope !== undefined && scope !== 'session' && scope !== 'agent')
    add('SCOPE_UNKNOWN', 'error', '/scope', 'use session or agent');
  if (effect === 'read' || effect === 'pure') {
    const verb = nameWords(tool)?.words.find(isChangingWord);
    if (verb !== undefined)
      add(
        'READ_WITH_WRITE_VERB',
        'warning',
        '/effect',
        `"${verb}" in its name changes something; a write taken for a read may be lost`,
      );
    if (definition?.hints.readOnly === false || definition?.hints.destructive === true)
      add('READ_AGAINST_HINT', 'warning', '/effect', 'its own server says that it is not read-only');
  }
  if (effect === 'write' || effect === 'converging') {
    if ((contract.target ?? []).length === 0 && contract.stateful !== true)
      add('WRITE_WITHOUT_TARGET', 'warning', '', 'names no target, so that the ledger guesses one from the arguments');
    if (effect === 'write' && (contract.key ?? []).length === 0)
      add('WRITE_WITHOUT_KEY', 'hint', '', 'has no key, so that the gate records it and never blocks a repeat');
  }
  const schema = definition?.parameters;
  for (const name of ['key', 'target'] as const)
    (contract[name] ?? []).forEach((path, at) => {
      const reason = pathMissing(schema, path);
      if (reason !== undefined) add('PATH_MATCHES_NOTHING', 'warning', `/${name}/${String(at)}`, reason);
    });
  (contract.read_when ?? []).forEach(({ json_path: path }, at) => {
    const reason = pathMissing(schema, path);
    if (reason !== undefined) add('PATH_MATCHES_NOTHING', 'warning', `/read_when/${String(at)}/json_path`, reason);
  });
  return found;
}

function unknownTool(
  tool: string,
  known: ReadonlyMap<string, ToolDefinition>,
  names: readonly string[],
): readonly ContractFinding[] {
  if (known.has(tool)) return [];
  const near = closestWord(tool, names);
  const hint = near === undefined ? '' : `; did you mean "${near}"?`;
  return [
    { code: 'TOOL_UNKNOWN', severity: 'warning', path: jsonPointer([tool]), message: `no tool has this name${hint}` },
  ];
}

function undeclared(tool: string): ContractFinding {
  return {
    code: 'TOOL_UNDECLARED',
    severity: 'hint',
    path: jsonPointer([tool]),
    message: 'has no contract: every call of it is pinned as unproven',
  };
}
