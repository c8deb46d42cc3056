export type { Classification, Classified, Notice } from './classified';
export { classify } from './classify';
export { classifyElement, type ElementFlags } from './element-class';
export { callOutcome, type CallFacts } from './call-outcome';
export { proveCommandReads } from './exec-reader';
export { originOf, type Origin } from './message-origin';
export { isGoingOn, nativeStatus } from './native-status';
export {
  compileCondition,
  matchesCondition,
  type CompiledCondition,
  type ConditionAnswer,
  type ContractProblem,
  type ContractProblemCode,
} from './result-condition';
export { resultText, type ResultText } from './result-text';
export { compilePattern, type SafePattern } from './safe-pattern';
export type { ArgumentCondition, ResultCondition, ToolContract, ToolContracts } from './tool-contract';
export { validateToolContracts } from './validate-tool-contracts';
export type { ClassifyInput } from './window-context';
