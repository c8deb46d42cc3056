import { type DynamicModule, Module } from '@nestjs/common';
import {
  createAuditRepository,
  createDataKeyRepository,
  createEffectRepository,
  createReconcileRepository,
  createRefusalRetrier,
  createRetentionRepository,
} from '@holdfast/persistence';
import { QueueDepthsModule } from '@holdfast/queue/nest';
import { DirectDispatch } from './queue/direct-dispatch';
import { AlertDispatcher } from './alerts/alert-dispatcher';
import { LeaseSweep } from './effects/lease-sweep';
import { BACKGROUND, type BackgroundTask } from './operation/background-task';
import { OutboxRelay } from './queue/outbox-relay';
import { Reconciler } from './queue/reconciler';
import { RefusalRetries } from './refusals/refusal-retries';
import { Upkeep } from './upkeep/upkeep';
import { WorkerLifecycle } from './worker-lifecycle';
import { PARTS, type WorkerParts } from './worker-parts';

/** An alert is told within a few seconds of what it is about. */
const ALERT_INTERVAL_MS = 1_000;

/** Wires the parts of one worker together. */
@Module({})
export class WorkerModule {
  static of(parts: WorkerParts): DynamicModule {
    const { config, outbox, producer, metrics, log, database } = parts;
    return {
      module: WorkerModule,
      imports: [QueueDepthsModule.of(parts.queue)],
      providers: [
        { provide: PARTS, useValue: parts },
        {
          provide: OutboxRelay,
          useFactory: () =>
            new OutboxRelay(outbox, producer, { ...config.relay, tenantShare: config.tenantShare }, log),
        },
        {
          provide: DirectDispatch,
          useFactory: () => {
            const direct = new DirectDispatch(producer, outbox, metrics, log);
            parts.connectDispatch((due) => direct.dispatch(due));
            return direct;
          },
        },
        {
          provide: Reconciler,
          inject: [OutboxRelay],
          useFactory: (relay: OutboxRelay) =>
            new Reconciler(createReconcileRepository(database), outbox, metrics, config.reconcileIntervalMs, log, () =>
              relay.wake(),
            ),
        },
        {
          provide: LeaseSweep,
          useFactory: () => new LeaseSweep(createEffectRepository(database), metrics, config.reconcileIntervalMs, log),
        },
        {
          provide: RefusalRetries,
          inject: [OutboxRelay],
          useFactory: (relay: OutboxRelay) =>
            new RefusalRetries(createRefusalRetrier(database), config.reconcileIntervalMs, log, () => relay.wake()),
        },
        {
          provide: AlertDispatcher,
          useFactory: () => {
            const settings = { dashboardUrl: config.alerting.dashboardUrl ?? null, intervalMs: ALERT_INTERVAL_MS };
            return new AlertDispatcher(parts.alerts, producer, (id) => parts.deliverAlert(id), settings, log);
          },
        },
        {
          provide: Upkeep,
          useFactory: () =>
            new Upkeep(
              {
                retention: createRetentionRepository(database),
                audit: createAuditRepository(database),
                dataKeys: parts.keys === undefined ? undefined : createDataKeyRepository(database, parts.keys),
              },
              log,
            ),
        },
        {
          provide: BACKGROUND,
          inject: [OutboxRelay, Reconciler, LeaseSweep, RefusalRetries, AlertDispatcher, Upkeep],
          useFactory: (...tasks: readonly BackgroundTask[]) => tasks,
        },
        WorkerLifecycle,
      ],
    };
  }
}
