import { scalarText, sourceReader } from '../effects/canonical-arguments';
import { parseJsonPath, selectJsonPath } from '../json-path';
import type { ResultText } from './result-text';
import { compilePattern } from './safe-pattern';
import type { ResultCondition } from './tool-contract';

/** One thing that is wrong with a contract: where, what, stable code. */
export interface ContractProblem {
  readonly code: ContractProblemCode;
  /** JSON pointer into the contracts. */
  readonly path: string;
  readonly message: string;
}

export type ContractProblemCode =
  | 'CONDITION_EMPTY'
  | 'CONDITION_INCOMPLETE'
  | 'PATTERN_UNSAFE'
  | 'JSON_PATH_INVALID'
  | 'EFFECT_UNKNOWN'
  | 'KEY_WITHOUT_EFFECT';

/** A condition ready to be tried, with its words for the evidence. */
export interface CompiledCondition {
  readonly words: string;
  readonly matches: (result: ResultText) => boolean;
}

export type ConditionAnswer =
  | { readonly kind: 'condition'; readonly condition: CompiledCondition }
  /** Never matches anything; `problems` has at least one item. */
  | { readonly kind: 'invalid'; readonly problems: readonly ContractProblem[] };

/** Compiles a condition; `path` is the JSON pointer that problems carry. */
export function compileCondition(condition: ResultCondition, path = ''): ConditionAnswer {
  const { prefix, contains, matches, is_error: isError, json_path: jsonPath, equals } = condition;
  const problems: ContractProblem[] = [];
  const words: string[] = [];
  const tests: ((result: ResultText) => boolean)[] = [];

  if (prefix !== undefined) {
    words.push(`prefix ${JSON.stringify(prefix)}`);
    tests.push(({ text }) => text.startsWith(prefix));
  }
  if (contains !== undefined) {
    words.push(`contains ${JSON.stringify(contains)}`);
    tests.push(({ text }) => text.includes(contains));
  }
  if (matches !== undefined) {
    words.push(`matches /${matches}/`);
    const pattern = compilePattern(matches);
    if (pattern.kind === 'pattern') tests.push(({ text }) => pattern.test(text));
    else problems.push({ code: 'PATTERN_UNSAFE', path: `${path}/matches`, message: `not accepted: ${pattern.reason}` });
  }
  if (isError !== undefined) {
    words.push(`is_error ${String(isError)}`);
    tests.push((result) => result.isError === isError);
  }
  if (jsonPath !== undefined) {
    words.push(equals === undefined ? `has ${jsonPath}` : `${jsonPath} equals ${JSON.stringify(equals)}`);
    const reason = jsonPathProblem(jsonPath);
    if (reason === undefined) tests.push((result) => jsonPathHolds(result, jsonPath, equals));
    else problems.push({ code: 'JSON_PATH_INVALID', path: `${path}/json_path`, message: reason });
  } else if (equals !== undefined) {
    problems.push({ code: 'CONDITION_INCOMPLETE', path: `${path}/equals`, message: 'equals needs a json_path' });
  }
  if (words.length === 0 && problems.length === 0)
    problems.push({
      code: 'CONDITION_EMPTY',
      path,
      message: 'a condition without a field would hold for every result',
    });

  return problems.length > 0
    ? { kind: 'invalid', problems }
    : {
        kind: 'condition',
        condition: { words: words.join(' and '), matches: (result) => tests.every((test) => test(result)) },
      };
}

/** True when every field of the condition holds for the result; an invalid condition never holds. */
export function matchesCondition(condition: ResultCondition, result: ResultText): boolean {
  const answer = compileCondition(condition);
  return answer.kind === 'condition' && answer.condition.matches(result);
}

/** Why a JSON path of a contract cannot be used; undefined when it can. */
export function jsonPathProblem(path: string): string | undefined {
  return parseJsonPath(path) === undefined
    ? `${JSON.stringify(path)} is no path of the plain kind ($.a.b[0].c, $.items[*].id)`
    : undefined;
}

function jsonPathHolds(result: ResultText, path: string, equals: ResultCondition['equals']): boolean {
  const json = result.json();
  if (json === undefined) return false;
  const read = sourceReader(json, result.text);
  const found = selectJsonPath(json, path);
  if (equals === undefined) return found.length > 0;
  return found.some((node) => {
    if (node.kind === 'null') return equals === null;
    if (node.kind === 'number') return node.value === equals;
    return equals !== null && node.kind === typeof equals && scalarText(node, read) === String(equals);
  });
}
