/** What a critical field is; C3 protects its bytes. */
export type FieldKind =
  'identifier' | 'number' | 'amount' | 'path' | 'url' | 'email' | 'date' | 'version' | 'hash' | 'name' | 'flag';

/** A critical field found in a text, at UTF-16 offsets. */
export interface CriticalField {
  readonly kind: FieldKind;
  readonly value: string;
  readonly start: number;
  readonly end: number;
  /** Path, column, key or option that names it; absent where only its shape tells it. */
  readonly name?: string;
}

/** A text whose critical fields hide behind placeholders. */
export interface SealedText {
  readonly text: string;
  /** Placeholder by placeholder, the bytes that it stands for. */
  readonly fields: ReadonlyMap<string, CriticalField>;
}
