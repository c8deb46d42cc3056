import type { WindowProblem } from '../errors';
import type { ReadWindow } from '../window/element';
import type { FormatName } from '../terms';

export interface ReadLimits {
  readonly maxDepth: number;
  readonly maxElements: number;
}

export const DEFAULT_READ_LIMITS: ReadLimits = { maxDepth: 100, maxElements: 20_000 };

export type ReadAnswer =
  | { readonly kind: 'window'; readonly window: ReadWindow }
  /** The window cannot be read; nothing was changed. */
  | { readonly kind: 'invalid'; readonly problems: readonly WindowProblem[] }
  /** The provider holds part of the history; what is not sent cannot be proven. */
  | { readonly kind: 'server_held'; readonly path: string; readonly evidence: string };

/** Words that a pass adds: the pinned block (user's role) or a segment (assistant's role). */
export interface Insertion {
  /** Placed in front of this message; `messages.length` appends. */
  readonly beforeMessage: number;
  readonly role: 'user' | 'assistant';
  readonly text: string;
  /** Id of the inserted element in the `elements` format. */
  readonly id: string;
}

/** What a pass changes. Everything that is not named leaves as its source bytes. */
export interface WindowChanges {
  /** New text for an editable part, by part index. */
  readonly replaced: ReadonlyMap<number, string>;
  /** Parts that leave; a message whose parts have all left leaves too. */
  readonly dropped: ReadonlySet<number>;
  /** In order; those with the same `beforeMessage` keep their order. */
  readonly inserted: readonly Insertion[];
}

/**
 * One window format. Reading and rendering are inverse on what is not touched: `render(read(text), no changes)` is
 * `text`, byte for byte. A lone surrogate in text that the format itself writes is replaced visibly.
 *
 * With any change the provider formats also mend what the API would reject: lone surrogates in messages that stay are
 * replaced, blank text leaves, results that stand apart from their calls move behind them, and a message of which only
 * reasoning would stay leaves.
 */
export interface WindowFormat {
  readonly name: FormatName;
  read(source: string, limits: ReadLimits): ReadAnswer;
  render(window: ReadWindow, changes: WindowChanges): string;
  /**
   * The source with what the API would reject for its shape mended as `render` does (blank text, results that stand
   * apart), and its pairs put right (a call that the window went on without gets a result that says so, repeated ids of
   * one turn become different), so that a pass plans on the parts that will stand. The source itself when there is nothing to mend.
   */
  mended(window: ReadWindow): string;
  /** The provider's rules on a serialized window (pairing in place, unique ids, roles, no empty messages). */
  validate(source: string): readonly WindowProblem[];
}
