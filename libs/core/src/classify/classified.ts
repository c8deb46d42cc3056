import type { EffectDifference } from './claimed-effects';
import type { RecordDraft, EffectDraft } from '../ports';
import type { ElementClass, View } from '../terms';
import type { Element } from '../window/element';
import type { ToolContract } from './tool-contract';

/** A classified element: the class, the rule that fired, and its evidence in words. */
export interface Classified {
  readonly element: Element;
  readonly class: ElementClass;
  readonly view: View;
  /** Stable name of the rule, as `contract_read`, `human_text`, `flags`. */
  readonly rule: string;
  readonly evidence: string;
  /** Sources that disagreed; the cautious one won. */
  readonly conflict: string | undefined;
  /** True when the content may leave once it is archived behind a handle that the agent can recall. */
  readonly leavesBehindHandle: boolean;
  /** True when calling the tool again brings it back (C1 without recall). */
  readonly refetchable: boolean;
  /** True for content that leaves only where the budget cannot be met otherwise: the model has not read it yet. */
  readonly lastResort: boolean;
  readonly contract: ToolContract | undefined;
  /** Element id of a later result of the same read with the same arguments: this one is stale, and leaves first. */
  readonly supersededBy?: string;
  /** The part of a disposable text that stays where the rest leaves, verbatim. */
  readonly keeps?: string;
}

/** A notice is reported with the outcome; it never changes it. */
export interface Notice {
  readonly code: string;
  readonly message: string;
  readonly elementId: string | undefined;
}

export interface Classification {
  readonly elements: readonly Classified[];
  readonly records: readonly RecordDraft[];
  readonly effects: readonly EffectDraft[];
  /** Where the window and whoever settled a claimed effect say different things. */
  readonly differences: readonly EffectDifference[];
  readonly notices: readonly Notice[];
}
