export type { CriticalField, FieldKind, SealedText } from './critical-field';
export { findCriticalFields } from './find-critical-fields';
export { mergeSealed, sealText } from './seal-text';
export { findAtTokenBoundary, findWholeToken, isTokenBoundaryMatch, isWholeTokenAt } from './token-boundary';
export { unsealText, type UnsealAnswer } from './unseal-text';
export { isHighSurrogate, isLowSurrogate, isWordAt, wholeCharacterOffset } from './word-character';
