import { hostname } from 'node:os';
import { createChannelSender, outboundSettings } from '@holdfast/alerting';
import type { ArmedFailpoint, WorkerConfig } from '@holdfast/config';
import type { Logger, Metrics, Tracing } from '@holdfast/observability';
import {
  type AlertEngineRepository,
  createAlertEngineRepository,
  createDatabase,
  createOperatorKeys,
  createOutboxRepository,
  createPassRepository,
  createStoreHealth,
  type Database,
  type Dispatch,
  type KeyProvider,
  type OutboxRepository,
  type StoreHealth,
} from '@holdfast/persistence';
import {
  createQueueBackend,
  type JobConsumer,
  type JobProducer,
  QUEUE_NAMES,
  type QueueBackend,
} from '@holdfast/queue';
import { createTokenCounterPool, type TokenCounterPool } from '@holdfast/tokens';
import { deliverAlert } from './alerts/deliver-alert';
import { Failpoints } from './passes/failpoints';
import { PassProcessor } from './passes/pass-processor';
import { jobHandlers } from './queue/job-handlers';
import { observeQueue } from './queue/queue-notices';
import { PassThreads, type StepRunner } from './threads/pass-threads';

/** Injection token of {@link WorkerParts}. */
export const PARTS = Symbol('parts of the worker');

/** What one worker is made of; nothing has started yet. */
export interface WorkerParts {
  readonly config: WorkerConfig;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly database: Database;
  /** Wrap the tenants' data keys; undefined where content is not encrypted. */
  readonly keys: KeyProvider | undefined;
  readonly health: StoreHealth;
  readonly outbox: OutboxRepository;
  readonly queue: QueueBackend;
  readonly producer: JobProducer;
  readonly consumer: JobConsumer;
  readonly alerts: AlertEngineRepository;
  /** Sends the delivery of an alert, if it is due. */
  deliverAlert(id: string, signal?: AbortSignal): Promise<void>;
  readonly runner: StepRunner;
  readonly counters: TokenCounterPool;
  /** Set by the module, once the dispatcher is there. */
  connectDispatch(dispatch: (due: Dispatch) => void): void;
}

export interface WorkerOptions {
  readonly config: WorkerConfig;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly tracing: Tracing;
  /** Ends or stops this process at a point of a pass, in tests. */
  readonly failpoint?: ArmedFailpoint | undefined;
  /** Told when a queue is no longer consumed. */
  readonly onStopped: (error: unknown) => void;
}

export function createWorkerParts(options: WorkerOptions): WorkerParts {
  const { config, log, metrics } = options;
  const keys = config.encryptionKeys.length === 0 ? undefined : createOperatorKeys(config.encryptionKeys);
  const database = createDatabase({
    keys,
    connectionString: config.database.connectionString,
    maxConnections: config.database.maxConnections,
    applicationName: 'holdfast-worker',
    onConnectionError: (error) => log.warn({ err: error }, 'A connection to the database broke'),
  });
  metrics.expectQueues(QUEUE_NAMES);
  const concurrency = { concurrency: config.concurrency };
  const queue = createQueueBackend({
    ...config.queue,
    observe: observeQueue(log, metrics, options.onStopped),
    settings: { 'compaction-secure': concurrency, 'compaction-summarize': concurrency },
  });
  const counters = createTokenCounterPool({ threads: config.tokenizerThreads });
  const runner: StepRunner = new PassThreads();
  let dispatch = (_due: Dispatch): void => undefined;
  const processor = new PassProcessor({
    ...{ database, runner, metrics, log },
    tracing: options.tracing,
    passes: createPassRepository(database),
    counterFor: (model) => counters.counterFor(model),
    dispatch: (due) => dispatch(due),
    failpoints: new Failpoints(options.failpoint),
    summarizers: config.summarizers,
    settings: {
      owner: `${hostname()}:${process.pid}`,
      leaseMs: config.leaseMs,
      maxAttempts: config.maxAttempts,
    },
  });
  const alerts = createAlertEngineRepository(database);
  const send = createChannelSender(outboundSettings(config.alerting));
  const observeDelivery = metrics.observeAlertDelivery.bind(metrics);
  const deliver = (id: string, signal?: AbortSignal): Promise<void> =>
    deliverAlert(id, { alerts, send, observeDelivery, log, random: Math.random }, signal);
  return {
    ...{ config, log, metrics, database, keys, queue, runner, counters, alerts, deliverAlert: deliver },
    health: createStoreHealth(database, config.database.connectionString),
    outbox: createOutboxRepository(database),
    producer: queue.createProducer(),
    consumer: queue.createConsumer(jobHandlers(processor, deliver)),
    connectDispatch(connected) {
      dispatch = connected;
    },
  };
}
