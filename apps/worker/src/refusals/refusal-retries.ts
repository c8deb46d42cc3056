import type { Logger } from '@holdfast/observability';
import type { RefusalRetrier } from '@holdfast/persistence';
import { RepeatingTask } from '../operation/repeating-task';

/** Retries the passes that a resolved refusal left behind: those beyond the first thousand, and of busy sessions. */
export class RefusalRetries {
  private readonly task: RepeatingTask;

  constructor(
    private readonly retrier: RefusalRetrier,
    private readonly intervalMs: number,
    private readonly log: Logger,
    private readonly onDue: () => void,
  ) {
    this.task = new RepeatingTask(
      () => this.retry(),
      intervalMs,
      (error) => log.warn({ err: error }, 'Refused passes could not be retried; it is tried again'),
    );
  }

  start(): void {
    this.task.start();
  }

  stop(): Promise<void> {
    return this.task.stop();
  }

  private async retry(): Promise<number> {
    const made = await this.retrier.retryRest();
    if (made === 0) return this.intervalMs;
    this.log.info({ passes: made }, 'Refused passes are retried');
    this.onDue();
    return 0;
  }
}
