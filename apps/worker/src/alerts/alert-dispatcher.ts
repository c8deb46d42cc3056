import type { Logger } from '@holdfast/observability';
import type { AlertEngineRepository } from '@holdfast/persistence';
import { jobPayload, type JobProducer } from '@holdfast/queue';
import { RepeatingTask } from '../operation/repeating-task';
import { decideNotify } from './decide-notify';
import { judgeRule } from './judge-rule';
import { judgeSignals } from './judge-signals';

export interface DispatcherSettings {
  readonly dashboardUrl: string | null;
  /** Longest wait between two looks at what is due. */
  readonly intervalMs: number;
}

const MOST_AT_ONCE = 200;
/** How often rules that look at numbers are judged. */
const JUDGE_EVERY_MS = 30_000;
/** A delivery that was handed to the queue is handed out again after this; a job may get lost. */
const HOLD_MS = 30_000;

/**
 * Makes alerts of what is owed: takes signals, judges rules, writes messages down, and wakes their sending. Everything that is
 * due stands in rows, so a worker that dies leaves nothing behind, and several workers share the work.
 */
export class AlertDispatcher {
  private readonly task: RepeatingTask;

  constructor(
    private readonly alerts: AlertEngineRepository,
    private readonly producer: Pick<JobProducer, 'send'>,
    /** Sends a delivery in this process: what the queue cannot carry must not wait for it. */
    private readonly sendHere: (deliveryId: string) => Promise<void>,
    private readonly settings: DispatcherSettings,
    private readonly log: Logger,
  ) {
    this.task = new RepeatingTask(
      () => this.look(),
      settings.intervalMs,
      (error) => log.warn({ err: error }, 'Looking after alerts failed; it is tried again'),
    );
  }

  start(): void {
    this.task.start();
  }

  stop(): Promise<void> {
    return this.task.stop();
  }

  /** One look at everything that is due. Answers how long to wait for the next one. */
  async look(): Promise<number> {
    const taken = await this.takeSignals();
    await this.judgeRules();
    const told = await this.notify();
    await this.wake();
    return taken + told > 0 ? 0 : this.settings.intervalMs;
  }

  private async takeSignals(): Promise<number> {
    let taken = 0;
    for (const tenantId of await this.alerts.tenantsWithSignals(MOST_AT_ONCE)) {
      taken += await this.alerts.takeSignals(tenantId, MOST_AT_ONCE, judgeSignals);
    }
    return taken;
  }

  private async judgeRules(): Promise<void> {
    for (const due of await this.alerts.dueRules(MOST_AT_ONCE)) {
      await this.alerts.judge(due, JUDGE_EVERY_MS, judgeRule);
    }
  }

  private async notify(): Promise<number> {
    const due = await this.alerts.dueInstances(MOST_AT_ONCE);
    for (const instance of due) {
      const settings = { tenantId: instance.tenantId, dashboardUrl: this.settings.dashboardUrl };
      await this.alerts.notify(instance, (context) => decideNotify(context, settings));
    }
    return due.length;
  }

  private async wake(): Promise<void> {
    const due = await this.alerts.dueDeliveries(MOST_AT_ONCE, HOLD_MS);
    await Promise.all(due.map(({ id }) => this.send(id)));
  }

  private async send(id: string): Promise<void> {
    try {
      // A job of its own each time: the queue may still keep the one of the attempt before.
      await this.producer.send({ kind: 'alert.deliver', payload: jobPayload(id), dispatchNo: Date.now() });
    } catch (error) {
      this.log.warn({ err: error, delivery_id: id }, 'The queue did not take an alert; it is sent from here');
      await this.sendHere(id);
    }
  }
}
