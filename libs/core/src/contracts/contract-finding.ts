import type { ContractProblemCode } from '../classify/result-condition';

/** Every finding that the linter knows. */
export const LINT_CODES = [
  'FIELD_UNKNOWN',
  'FIELD_WRONG_TYPE',
  'EFFECT_MISSING',
  'TOOL_DUPLICATE',
  'TOOL_UNKNOWN',
  'TOOL_UNDECLARED',
  'PATH_MATCHES_NOTHING',
  'READ_WITH_WRITE_VERB',
  'READ_AGAINST_HINT',
  'WRITE_WITHOUT_TARGET',
  'WRITE_WITHOUT_KEY',
  'SCOPE_UNKNOWN',
  'CONDITION_EMPTY',
  'CONDITION_INCOMPLETE',
  'PATTERN_UNSAFE',
  'JSON_PATH_INVALID',
  'EFFECT_UNKNOWN',
  'KEY_WITHOUT_EFFECT',
] as const satisfies readonly (ContractProblemCode | string)[];
export type LintCode = (typeof LINT_CODES)[number];

/** `error`: the contracts are not accepted; `warning`: probably not what was meant; `hint`: worth a thought. */
export const LINT_SEVERITIES = ['error', 'warning', 'hint'] as const;

/** One finding of the linter. */
export interface ContractFinding {
  readonly code: LintCode;
  readonly severity: (typeof LINT_SEVERITIES)[number];
  /** JSON pointer into the document of contracts. */
  readonly path: string;
  readonly message: string;
}
