import type { Logger, Metrics } from '@holdfast/observability';
import type { EffectRepository } from '@holdfast/persistence';
import { RepeatingTask } from '../operation/repeating-task';

const MOST_AT_ONCE = 200;

/** Leaves claimed effects whose lease ran out as unknown, so that somebody hears of them. Doing it twice is doing it once. */
export class LeaseSweep {
  private readonly task: RepeatingTask;

  constructor(
    effects: Pick<EffectRepository, 'expireLeases'>,
    metrics: Pick<Metrics, 'countEffectEnd'>,
    intervalMs: number,
    log: Logger,
  ) {
    this.task = new RepeatingTask(
      async () => {
        const expired = await effects.expireLeases(MOST_AT_ONCE);
        metrics.countEffectEnd('unknown', expired);
        if (expired > 0) log.warn({ expired }, 'Claimed effects whose lease ran out are unknown now');
        return expired === MOST_AT_ONCE ? 0 : intervalMs;
      },
      intervalMs,
      (error) => log.warn({ err: error }, 'Looking for leases that ran out failed; it is tried again'),
    );
  }

  start(): void {
    this.task.start();
  }

  stop(): Promise<void> {
    return this.task.stop();
  }
}
