/** Where a text holds a secret. Offsets are UTF-16 code units; only the secret itself is inside, never its name. */
export interface SecretSpan {
  /** What it is, in a word: `password`, `github_token`, `private_key`. */
  readonly kind: string;
  readonly start: number;
  readonly end: number;
}
