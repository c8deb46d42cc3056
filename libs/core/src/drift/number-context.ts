import type { AlignedField } from './alignment';
import type { NumberIndex } from './number-index';
import type { Quantity } from './quantity';

/** What a number of the summary is compared with. */
export interface NumberContext {
  readonly numbers: NumberIndex;
  /** Numbers of the summary that the sources hold. */
  readonly supported: readonly Quantity[];
  /** Lengths of time between the times of sources and summary, in seconds. */
  readonly durations: ReadonlySet<number>;
  readonly aligned: readonly AlignedField[];
  /** Text directly before and after the number. */
  readonly before: string;
  readonly after: string;
  readonly isTolerant: boolean;
  /** Whether a place in the sources speaks of what the summary speaks of here. */
  readonly isAbout: (at: number) => boolean;
  /** Whether a code that stands near the number here stands near that place as well. */
  readonly namesBoth: (at: number) => boolean;
}
