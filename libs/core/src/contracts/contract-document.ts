import type { ToolContract, ToolContracts } from '../classify/tool-contract';
import { jsonPointer, memberEntries, toPlain, type JsonNode } from '../json';
import { closestWord } from './closest-word';
import type { ContractFinding } from './contract-finding';

type FieldKind = 'text' | 'flag' | 'texts' | 'conditions' | 'argument_conditions' | 'outcome';

/** Fields of a contract and what they hold. */
const FIELDS: Readonly<Record<string, FieldKind>> = {
  effect: 'text',
  read_when: 'argument_conditions',
  refetch: 'flag',
  volatile: 'flag',
  stateful: 'flag',
  key: 'texts',
  target: 'texts',
  scope: 'text',
  outcome: 'outcome',
  keep: 'texts',
  secret: 'texts',
};
const OUTCOME_FIELDS: Readonly<Record<string, FieldKind>> = {
  failed_when: 'conditions',
  succeeded_when: 'conditions',
  atomic: 'flag',
};
const CONDITION_FIELDS: Readonly<Record<string, readonly JsonNode['kind'][]>> = {
  prefix: ['string'],
  contains: ['string'],
  matches: ['string'],
  is_error: ['boolean'],
  json_path: ['string'],
  equals: ['string', 'number', 'boolean', 'null'],
};
const ARGUMENT_FIELDS: Readonly<Record<string, readonly JsonNode['kind'][]>> = {
  json_path: ['string'],
  equals: ['string', 'number', 'boolean'],
};

/** A document of contracts as read: those of the right shape by tool name, and what is wrong with the others. */
export interface ContractDocument {
  readonly contracts: ToolContracts;
  readonly findings: readonly ContractFinding[];
}

/** Reads contracts by tool name. Any name is a name, `__proto__` too; of two with one name the last counts. */
export function readContractDocument(document: JsonNode): ContractDocument {
  if (document.kind !== 'object')
    return { contracts: {}, findings: [wrongType('', 'an object of contracts by tool name')] };
  const findings: ContractFinding[] = [];
  const seen = new Set<string>();
  for (const { key } of document.members) {
    if (seen.has(key))
      findings.push({
        code: 'TOOL_DUPLICATE',
        severity: 'error',
        path: jsonPointer([key]),
        message: 'is declared twice; the last one would count',
      });
    seen.add(key);
  }
  const contracts = memberEntries(document).flatMap(({ key, value }): [string, ToolContract][] => {
    const problems = fieldFindings(value, FIELDS, jsonPointer([key]));
    if (value.kind === 'object' && !value.members.some((field) => field.key === 'effect'))
      problems.push({ ...wrongType(jsonPointer([key]), 'an effect'), code: 'EFFECT_MISSING' });
    findings.push(...problems);
    const plain = toPlain(value);
    return isShaped(plain, problems) ? [[key, plain]] : [];
  });
  // fromEntries defines each name as a property of its own, whatever it is.
  return { contracts: Object.fromEntries(contracts), findings };
}

/** Fields that nobody knows are left alone: they do no harm to those that are known. */
function isShaped(plain: unknown, problems: readonly ContractFinding[]): plain is ToolContract {
  return typeof plain === 'object' && plain !== null && problems.every(({ code }) => code === 'FIELD_UNKNOWN');
}

function fieldFindings(
  node: JsonNode,
  fields: Readonly<Record<string, FieldKind>>,
  pointer: string,
): ContractFinding[] {
  if (node.kind !== 'object') return [wrongType(pointer, 'an object')];
  return node.members.flatMap(({ key, value }) => {
    const path = `${pointer}${jsonPointer([key])}`;
    const kind = Object.hasOwn(fields, key) ? fields[key] : undefined;
    return kind === undefined ? [unknownField(key, Object.keys(fields), path)] : valueFindings(kind, value, path);
  });
}

function valueFindings(kind: FieldKind, node: JsonNode, path: string): ContractFinding[] {
  switch (kind) {
    case 'text':
      return node.kind === 'string' ? [] : [wrongType(path, 'a text')];
    case 'flag':
      return node.kind === 'boolean' ? [] : [wrongType(path, 'true or false')];
    case 'texts':
      return node.kind === 'array' && node.items.every((item) => item.kind === 'string')
        ? []
        : [wrongType(path, 'a list of texts')];
    case 'outcome':
      return fieldFindings(node, OUTCOME_FIELDS, path);
    case 'conditions':
      return listFindings(node, CONDITION_FIELDS, path, []);
    case 'argument_conditions':
      return listFindings(node, ARGUMENT_FIELDS, path, Object.keys(ARGUMENT_FIELDS));
  }
}

function listFindings(
  node: JsonNode,
  fields: Readonly<Record<string, readonly JsonNode['kind'][]>>,
  pointer: string,
  required: readonly string[],
): ContractFinding[] {
  if (node.kind !== 'array') return [wrongType(pointer, 'a list of conditions')];
  return node.items.flatMap((item, at) => {
    const place = `${pointer}/${String(at)}`;
    if (item.kind !== 'object') return [wrongType(place, 'an object')];
    const missing = required.filter((name) => !item.members.some(({ key }) => key === name));
    return [
      ...missing.map((name) => wrongType(place, `the field ${name}`)),
      ...item.members.flatMap(({ key, value }) => {
        const path = `${place}${jsonPointer([key])}`;
        const kinds = Object.hasOwn(fields, key) ? fields[key] : undefined;
        if (kinds === undefined) return [unknownField(key, Object.keys(fields), path)];
        return kinds.includes(value.kind) ? [] : [wrongType(path, `a value of kind ${kinds.join(' or ')}`)];
      }),
    ];
  });
}

function unknownField(name: string, known: readonly string[], path: string): ContractFinding {
  const near = closestWord(name, known);
  const hint = near === undefined ? `known are ${known.join(', ')}` : `did you mean "${near}"?`;
  return { code: 'FIELD_UNKNOWN', severity: 'error', path, message: `is no field of a contract; ${hint}` };
}

function wrongType(path: string, expected: string): ContractFinding {
  return { code: 'FIELD_WRONG_TYPE', severity: 'error', path, message: `needs ${expected}` };
}
