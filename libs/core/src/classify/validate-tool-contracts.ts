import { jsonPointer } from '../json';
import { EFFECT_KINDS } from '../terms';
import { compileCondition, jsonPathProblem, type ContractProblem } from './result-condition';
import { compilePattern } from './safe-pattern';
import type { ResultCondition, ToolContract, ToolContracts } from './tool-contract';

const EFFECTS: ReadonlySet<string> = new Set(['pure', 'read', ...EFFECT_KINDS]);

/**
 * Everything that is wrong with an owner's contracts, each with a JSON pointer: unknown effects, paths and patterns
 * that cannot be used, conditions that would hold for every result, a key on a tool without an effect. Empty when
 * they can be used as they are.
 */
export function validateToolContracts(contracts: ToolContracts): readonly ContractProblem[] {
  return Object.entries(contracts).flatMap(([tool, contract]) => contractProblems(contract, jsonPointer([tool])));
}

function contractProblems(contract: ToolContract, pointer: string): ContractProblem[] {
  const problems: ContractProblem[] = [];
  if (!EFFECTS.has(contract.effect))
    problems.push({
      code: 'EFFECT_UNKNOWN',
      path: `${pointer}/effect`,
      message: `use one of ${[...EFFECTS].join(', ')}`,
    });
  if (contract.key !== undefined && (contract.effect === 'pure' || contract.effect === 'read'))
    problems.push({
      code: 'KEY_WITHOUT_EFFECT',
      path: `${pointer}/key`,
      message: `a tool whose effect is ${contract.effect} needs no idempotency key`,
    });
  problems.push(...pathProblems(contract.key, `${pointer}/key`));
  problems.push(...pathProblems(contract.target, `${pointer}/target`));
  problems.push(...pathProblems(contract.secret, `${pointer}/secret`));
  problems.push(
    ...(contract.read_when ?? []).flatMap(({ json_path: path }, at) => {
      const reason = jsonPathProblem(path);
      const place = `${pointer}/read_when/${String(at)}/json_path`;
      return reason === undefined ? [] : [{ code: 'JSON_PATH_INVALID' as const, path: place, message: reason }];
    }),
  );
  problems.push(...keepProblems(contract.keep, `${pointer}/keep`));
  problems.push(...conditionProblems(contract.outcome?.failed_when, `${pointer}/outcome/failed_when`));
  problems.push(...conditionProblems(contract.outcome?.succeeded_when, `${pointer}/outcome/succeeded_when`));
  return problems;
}

function pathProblems(paths: readonly string[] | undefined, pointer: string): ContractProblem[] {
  return (paths ?? []).flatMap((path, at) => {
    const reason = jsonPathProblem(path);
    return reason === undefined
      ? []
      : [{ code: 'JSON_PATH_INVALID' as const, path: `${pointer}/${String(at)}`, message: reason }];
  });
}

function keepProblems(keep: readonly string[] | undefined, pointer: string): ContractProblem[] {
  return (keep ?? []).flatMap((entry, at) => {
    const path = `${pointer}/${String(at)}`;
    if (!entry.startsWith('/')) return pathProblems([entry], pointer).map((problem) => ({ ...problem, path }));
    const pattern = compilePattern(entry.replace(/^\//u, '').replace(/\/$/u, ''));
    return pattern.kind === 'pattern'
      ? []
      : [{ code: 'PATTERN_UNSAFE' as const, path, message: `not accepted: ${pattern.reason}` }];
  });
}

function conditionProblems(conditions: readonly ResultCondition[] | undefined, pointer: string): ContractProblem[] {
  return (conditions ?? []).flatMap((condition, at) => {
    const answer = compileCondition(condition, `${pointer}/${String(at)}`);
    return answer.kind === 'invalid' ? answer.problems : [];
  });
}
