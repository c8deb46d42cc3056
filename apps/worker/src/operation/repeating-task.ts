/**
 * Runs a task again and again, never twice at once, with a pause that the task chooses. `wake` ends the pause.
 *
 * States: idle -> running <-> pausing -> stopped.
 */
export class RepeatingTask {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private woken = false;
  private stopped = false;

  /** `task` answers how long to pause, in ms; an error pauses for `errorPauseMs`. */
  constructor(
    private readonly task: () => Promise<number>,
    private readonly errorPauseMs: number,
    private readonly onError: (error: unknown) => void,
  ) {}

  start(): void {
    this.schedule(0);
  }

  wake(): void {
    if (this.stopped) return;
    if (this.running !== undefined) this.woken = true;
    else this.schedule(0);
  }

  /** Takes no more turns and waits for the one under way. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.running;
  }

  private schedule(pauseMs: number): void {
    clearTimeout(this.timer);
    if (this.stopped) return;
    this.timer = setTimeout(() => {
      this.running = this.turn().finally(() => (this.running = undefined));
    }, pauseMs);
  }

  private async turn(): Promise<void> {
    this.woken = false;
    let pauseMs = this.errorPauseMs;
    try {
      pauseMs = await this.task();
    } catch (error) {
      this.onError(error);
    }
    this.schedule(this.woken ? 0 : pauseMs);
  }
}
