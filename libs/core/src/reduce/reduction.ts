/** What stays of a result. */
export interface ReduceOptions {
  /**
   * True for a value that something else in the window refers to. Lines that show it stay; in JSON it ranks behind what
   * stands nowhere else.
   */
  readonly isNeeded: (value: string) => boolean;
  /** Result paths (`$.items[*].id`) and `/regular expressions/` for lines, as a tool contract declares them. */
  readonly keep: readonly string[];
  /** Size to aim at. Declared values stay even above it. */
  readonly maxTokens: number;
  /** How to see the rest: `[recall h_...]`, or words. */
  readonly recallMark: string;
}

/** A result that lost whole subtrees or lines; names and bytes of what stays are unchanged. */
export interface ReducedResult {
  readonly text: string;
  /** What is missing, in words. */
  readonly leftOut: string;
}
