export { jsonScalars, type JsonScalar } from './json-scalars';
export { reduceResult, type ReducedResult, type ReduceOptions } from './reduce-result';
export {
  REPACK_KINDS,
  canonicalText,
  repackKindOf,
  repackReadsBack,
  repackText,
  unpackText,
  type RepackKind,
  type Repacked,
} from './repack';
export { stripTerminalCodes } from './terminal-codes';
