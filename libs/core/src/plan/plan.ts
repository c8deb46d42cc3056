import type { HandleDraft, OriginalDraft } from '../ports';
import type { SegmentPlace } from '../render/segment';
import type { Operation } from '../terms';

/** What a segment is made of, in order. */
export type SegmentPiece =
  /** A line that is known beforehand: a call with its status. */
  | { readonly kind: 'line'; readonly text: string }
  /** Text of a part that the summarizer shortens to at most `maxTokens`. */
  | { readonly kind: 'text'; readonly part: number; readonly maxTokens: number };

/** A surrogate to be made once everything is secured: it stands where its parts stood. */
export interface PlannedSegment {
  /** Indexes of the parts it stands for, ascending. */
  readonly parts: readonly number[];
  /** Ids of the elements it stands for; those of a segment that it replaces are among them. */
  readonly standsFor: readonly string[];
  /** `in_place`: the text of one part is replaced; `folded`: the parts leave and a message takes their place. */
  readonly place: SegmentPlace;
  readonly beforeMessage: number;
  /** Way back to what it stands for; undefined when the agent cannot recall. */
  readonly handle: string | undefined;
  readonly pieces: readonly SegmentPiece[];
}

/** What happens to one element. */
export interface PlannedElement {
  readonly operation: Operation;
  /** Text that takes the element's place (`repack`, `reduce`, `evict`). */
  readonly text?: string;
  readonly handle?: string;
  /** Index of the segment that stands for it (`summarize`). */
  readonly segment?: number;
}

/** A complete plan; nothing has been done yet. Tokens are upper bounds where a segment is still to be made. */
export interface Plan {
  readonly elements: readonly PlannedElement[];
  readonly segments: readonly PlannedSegment[];
  readonly originals: readonly OriginalDraft[];
  readonly handles: readonly HandleDraft[];
  readonly tokensBefore: number;
  /** Upper bound. */
  readonly tokensAfter: number;
  /** Upper bound of the smallest window that the classes allow. */
  readonly floorTokens: number;
  readonly aimTokens: number;
  readonly budgetTokens: number;
  /** False when the plan leaves the window as it is. */
  readonly changes: boolean;
  /** Somebody else changed what was handed out: it is written again, and the window may grow by it. */
  readonly putsBack: boolean;
}
