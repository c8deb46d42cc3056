/** What the owner says of one element of a session, over whatever else speaks for it; what is absent is not said. */
export interface ElementMark {
  readonly elementId: string;
  readonly flags: MarkFlags;
  /** Where it can be had again, for one that is marked as regenerable. */
  readonly source?: string;
  readonly reason: string;
  /** Who says so. */
  readonly actor: string;
}

/** Flags of its class, and the effect that it records. */
export interface MarkFlags {
  readonly regenerable?: boolean;
  readonly idempotent?: boolean;
  readonly task_critical?: boolean;
  readonly action?: string;
  readonly target?: string;
  readonly idempotency_key?: string;
  readonly status?: string;
}

/** The evidence that a mark is. */
export function markEvidence({ actor, reason, source }: ElementMark): string {
  return `marked by ${actor}: ${reason}${source === undefined ? '' : `, to be had again from ${source}`}`;
}
