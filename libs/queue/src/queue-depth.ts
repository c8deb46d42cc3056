/** Jobs of one queue at one moment, by state. */
export interface QueueDepth {
  readonly waiting: number;
  readonly active: number;
  readonly delayed: number;
  /** Those still kept; the oldest leave after a while. */
  readonly failed: number;
  /** Since the oldest waiting job was sent, by the clocks of the two hosts; undefined when none waits. */
  readonly oldestWaitingMs: number | undefined;
}
