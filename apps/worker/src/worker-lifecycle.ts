import { Inject, Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import type { WorkerConfig } from '@holdfast/config';
import type { ListeningServer, Logger, Metrics, QueueJobs } from '@holdfast/observability';
import { type Database, readStoreState, type StoreHealth } from '@holdfast/persistence';
import { isQueueError, type JobConsumer, type QueueBackend } from '@holdfast/queue';
import { QueueDepths } from '@holdfast/queue/nest';
import type { TokenCounterPool } from '@holdfast/tokens';
import { type Readiness, startHealthServer } from './operation/health-server';
import { BACKGROUND, type BackgroundTask } from './operation/background-task';
import { DirectDispatch } from './queue/direct-dispatch';
import type { StepRunner } from './threads/pass-threads';
import { PARTS, type WorkerParts } from './worker-parts';

/** Of the deadline, what closing connections and threads may take. */
const CLOSING_MS = 2_000;
const RETRY_START_MS = 1_000;
/** A scrape may take its time; a probe may not, and goes on without what is not there. */
const SCRAPE_LOOK_MS = 3_000;
const PROBE_LOOK_MS = 500;

/**
 * Starts and stops the parts of a worker in order.
 *
 * States: starting -> consuming -> draining -> closed. Ready only while consuming.
 */
@Injectable()
export class WorkerLifecycle implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly config: WorkerConfig;
  private readonly log: Logger;
  private readonly metrics: Metrics;
  private readonly database: Database;
  private readonly health: StoreHealth;
  private readonly queue: QueueBackend;
  private readonly consumer: JobConsumer;
  private readonly runner: StepRunner;
  private readonly counters: TokenCounterPool;
  private state: 'starting' | 'consuming' | 'draining' | 'closed' = 'starting';
  private servers: ListeningServer[] = [];
  private retryTimer: NodeJS.Timeout | undefined;

  constructor(
    @Inject(PARTS) parts: WorkerParts,
    @Inject(BACKGROUND) private readonly background: readonly BackgroundTask[],
    @Inject(DirectDispatch) private readonly direct: DirectDispatch,
    @Inject(QueueDepths) private readonly depths: QueueDepths,
  ) {
    this.config = parts.config;
    this.log = parts.log;
    this.metrics = parts.metrics;
    this.database = parts.database;
    this.health = parts.health;
    this.queue = parts.queue;
    this.consumer = parts.consumer;
    this.runner = parts.runner;
    this.counters = parts.counters;
  }

  async onApplicationBootstrap(): Promise<void> {
    this.metrics.watchQueues(() => this.queueJobs());
    this.metrics.watchStore(() => readStoreState(this.database));
    this.metrics.watchRedis(() => this.queue.redisSafety());
    const { host, port, metricsPort } = this.config.listen;
    for (const wanted of [port, metricsPort]) {
      this.servers.push(await startHealthServer(() => this.readiness(), this.metrics, host, wanted));
    }
    for (const task of this.background) task.start();
    this.log.info({ ports: this.servers.map((server) => server.port) }, 'The worker is listening');
    await this.startConsuming();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.state = 'draining';
    clearTimeout(this.retryTimer);
    await Promise.all(this.background.map((task) => task.stop()));
    // Stops fetching, waits for jobs, aborts them shortly before the deadline; aborted jobs give their sessions back.
    const ending = await this.consumer.close(Math.max(0, this.config.shutdownDeadlineMs - CLOSING_MS));
    this.log.info({ ending }, 'No job runs any more');
    await this.direct.settled();
    await this.queue.close();
    await Promise.allSettled([this.runner.close(), this.counters.close()]);
    await this.database.close();
    await Promise.allSettled(this.servers.map((server) => server.close()));
    this.state = 'closed';
  }

  private async startConsuming(): Promise<void> {
    try {
      await this.consumer.start();
      if (this.state === 'starting') this.state = 'consuming';
      this.log.info({ queue: this.queue.kind }, 'The worker takes jobs');
    } catch (error) {
      // A queue that is away comes back; one that must not be used does not get better.
      if (!isQueueError(error) || !error.retryable) throw error;
      this.log.warn({ err: error }, 'The queue is away; trying again');
      if (this.state !== 'starting') return;
      this.retryTimer = setTimeout(() => void this.startConsuming(), RETRY_START_MS);
    }
  }

  private async readiness(): Promise<Readiness> {
    const reasons: string[] = this.state === 'consuming' ? [] : [this.state.toUpperCase()];
    const [queues, reached] = await Promise.all([
      this.depths.look(PROBE_LOOK_MS),
      this.health.ping().then(
        () => true,
        () => false,
      ),
    ]);
    if (!reached) reasons.push('DATABASE_AWAY');
    else if (!(await this.health.migrationsCurrent().catch(() => false))) reasons.push('MIGRATIONS_PENDING');
    return { ready: reasons.length === 0, reasons, queues };
  }

  private async queueJobs(): Promise<readonly QueueJobs[]> {
    const looks = await this.depths.look(SCRAPE_LOOK_MS);
    return looks.flatMap((look) => {
      if (look.status === 'away') return [];
      const { oldestWaitingMs = 0, ...jobs } = look.depth;
      return [{ queue: look.queue, jobs, oldestWaitingSeconds: oldestWaitingMs / 1_000 }];
    });
  }
}
