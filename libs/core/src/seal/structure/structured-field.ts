import type { FieldKind } from '../critical-field';

/** A value whose place in a structure says what it is, at UTF-16 offsets. */
export interface StructuredField {
  readonly kind: FieldKind;
  readonly start: number;
  readonly end: number;
  /** Path, column, key or option that names it. */
  readonly name: string;
}
