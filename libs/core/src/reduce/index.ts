export { tellingLines, withoutLinesAgain } from './lines-again';
export { keptScalars } from './reduce-json';
export { jsonScalars, type JsonScalar } from './json-scalars';
export { keptLines } from './reduce-lines';
export { reduceResult } from './reduce-result';
export type { Mentions, ReducedResult, ReduceOptions } from './reduction';
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
export { whatItStillSays } from './what-it-still-says';
