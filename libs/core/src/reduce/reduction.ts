/** What the rest of a window says of the values of a result. */
export interface Mentions {
  /** True for a value that something besides results refers to: lines and rows that show it stay. */
  readonly isNeeded: (value: string) => boolean;
  /** True for a value that stays in the window besides: in JSON it ranks behind what stands nowhere else. */
  readonly standsElsewhere: (value: string) => boolean;
}

/** What stays of a result. */
export interface ReduceOptions extends Mentions {
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
