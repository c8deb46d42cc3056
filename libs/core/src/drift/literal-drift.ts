import type { DriftKind } from '../terms';

/** What happened to a literal on its way into a summary. */
export interface LiteralDrift {
  readonly kind: DriftKind;
  /** The source's value, undefined for an invented one. */
  readonly expected: string | undefined;
  /** Where it stands in the index's text. */
  readonly at?: number | undefined;
  /** It has no source, but may have been worked out in a way that nobody can follow. */
  readonly isDoubtful?: boolean;
}

/** A literal of the summary that is not what the sources say. */
export interface LiteralFinding extends LiteralDrift {
  readonly start: number;
  readonly end: number;
}
