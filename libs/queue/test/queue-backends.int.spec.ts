import { randomUUID } from 'node:crypto';
import { until } from '@holdfast/testkit';
import {
  isQueueError,
  type JobConsumer,
  jobIdOf,
  type JobProducer,
  type JobHandlers,
  jobPayload,
  QueueError,
} from '../src';
import { newJob, observe, type ObservedBackend } from './observed-consumer';
import { describeOnStore, startPostgresStore, startRedisStore, type StoreUnderTest } from './store-under-test';

jest.setTimeout(120_000);

const STORES = [
  { store: 'PostgreSQL', startStore: () => startPostgresStore() },
  { store: 'Redis', startStore: () => startRedisStore() },
  { store: 'Redis Cluster', startStore: () => startRedisStore(true) },
] as const;

/** Resolves when its signal is aborted, as a well-behaved job does. */
function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('told to stop')), { once: true });
  });
}

function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

for (const { store, startStore } of STORES)
  describeOnStore(store, `queue on ${store}`, () => {
    let server: StoreUnderTest;
    let observed: ObservedBackend;
    let producer: JobProducer;
    let consumers: JobConsumer[];

    beforeAll(async () => {
      server = await startStore();
    });
    afterAll(() => server.destroy());

    beforeEach(async () => {
      consumers = [];
      observed = observe(server.config);
      producer = observed.backend.createProducer();
    });
    afterEach(async () => {
      await Promise.all(consumers.map((consumer) => consumer.close(2_000)));
      await observed.backend.close();
      await server.wipe();
    });

    /** A case on a store that runs. */
    const on = (name: string, work: (running: StoreUnderTest) => Promise<void>): void => {
      test(name, () => work(server));
    };

    const consuming = async (handler?: JobHandlers['compaction.secure'], from = observed): Promise<JobConsumer> => {
      const consumer = from.consumer(handler);
      consumers.push(consumer);
      await consumer.start();
      return consumer;
    };

    /** Sends again until the store takes it, as the relay does. */
    const sendUntilTaken = (job: Parameters<JobProducer['send']>[0]): Promise<true> =>
      until(
        async () => {
          try {
            await producer.send(job);
            return true;
          } catch (error) {
            if (isQueueError(error) && error.retryable) return undefined;
            throw error;
          }
        },
        { deadlineMs: 30_000, describe: () => 'the store takes a job' },
      );

    on('a job that is sent is handled once, each kind by its own handler', async () => {
      await consuming();
      const jobs = [newJob('compaction.secure'), newJob('compaction.summarize')];
      for (const job of jobs) await producer.send(job);
      for (const job of jobs) {
        const run = await observed.untilRun(job.payload.id);
        expect(run.kind).toBe(job.kind);
        expect(run.job.payload).toEqual(job.payload);
        expect(run.job.jobId).toBe(jobIdOf(job));
      }
      await observed.untilNotice('job_completed', ({ jobId }) => jobId === jobIdOf(jobs[0]!));
      await observed.untilNotice('job_completed', ({ jobId }) => jobId === jobIdOf(jobs[1]!));
      expect(observed.runs).toHaveLength(2);
    });

    on('many jobs in one call are all handled, once', async () => {
      await consuming();
      const jobs = Array.from({ length: 200 }, (_, index) =>
        newJob(index % 2 === 0 ? 'compaction.secure' : 'compaction.summarize'),
      );
      await producer.sendAll(jobs);
      for (const job of jobs) await observed.untilRun(job.payload.id);
      expect(observed.runs).toHaveLength(jobs.length);
    });

    on('a handler that throws fails the job, and the queue does not try again', async (running) => {
      await consuming(() => Promise.reject(new Error('the database is away')));
      const job = newJob();
      await producer.send(job);
      const failed = await observed.untilNotice('job_failed');
      expect(failed).toMatchObject({ queue: 'compaction-secure', jobId: jobIdOf(job) });
      const kept = await until(async () => {
        const found = await running.findJob('compaction-secure', jobIdOf(job));
        return found?.state === 'failed' ? found : undefined;
      });
      expect(kept).toMatchObject({ attemptsMade: 1, failedReason: 'the database is away' });
      // A later job has overtaken it: were there a retry, it would have come first.
      const later = newJob();
      await producer.send(later);
      await observed.untilRun(later.payload.id);
      expect(observed.runsOf(job.payload.id)).toHaveLength(1);
    });

    on('jobs that wait survive the end of the process and are handled by the next', async (running) => {
      const jobs = [newJob(), newJob('compaction.summarize')];
      await producer.sendAll(jobs);
      await observed.backend.close();
      observed = observe(running.config);
      await consuming();
      for (const job of jobs) await observed.untilRun(job.payload.id);
    });

    on('a job of a process that let go of it is handled by another', async (running) => {
      const never = new Promise<void>(() => undefined);
      const hanging = await consuming(() => never);
      const job = newJob();
      await producer.send(job);
      await observed.untilRun(job.payload.id);
      await expect(hanging.close(200)).resolves.toBe('abandoned');
      const next = observe(running.config);
      try {
        await consuming(undefined, next);
        await next.untilRun(job.payload.id);
        await next.untilNotice('job_stalled', ({ jobId }) => jobId === jobIdOf(job));
      } finally {
        await next.backend.close();
      }
    });

    on('after the store forgot every job, new jobs are handled', async (running) => {
      await consuming();
      const before = newJob();
      await producer.send(before);
      await observed.untilRun(before.payload.id);
      await running.wipe();
      const after = newJob();
      await producer.send(after);
      await observed.untilRun(after.payload.id);
    });

    on('a job that the store forgot while it ran is told to stop, and the next one is handled', async (running) => {
      await consuming(({ signal }) => untilAborted(signal));
      const lost = newJob();
      await producer.send(lost);
      const run = await observed.untilRun(lost.payload.id);
      await running.wipe();
      await observed.untilNotice('lock_lost', ({ jobIds }) => jobIds.includes(jobIdOf(lost)));
      expect(run.job.signal.aborted).toBe(true);
      const next = newJob();
      await producer.send(next);
      await observed.untilRun(next.payload.id);
    });

    for (const how of ['gently', 'kill'] as const) {
      on(
        `while the store is stopped (${how}) a send fails at once; when it is back the same consumer goes on`,
        async (running) => {
          await consuming();
          const before = newJob();
          await producer.send(before);
          await observed.untilRun(before.payload.id);
          await running.stop(how);
          try {
            const refused = await producer.send(newJob()).catch((error: unknown) => error);
            expect(refused).toMatchObject({ code: 'QUEUE_UNAVAILABLE', retryable: true });
            expect(await observed.backend.health()).toMatchObject({ status: 'down', code: 'QUEUE_UNAVAILABLE' });
          } finally {
            await running.start();
          }
          const after = newJob();
          await sendUntilTaken(after);
          await observed.untilRun(after.payload.id);
          expect(await until(async () => ((await observed.backend.health()).status === 'up' ? true : undefined))).toBe(
            true,
          );
        },
      );
    }

    on('a job that runs while the store restarts is finished', async (running) => {
      const { opened, open } = gate();
      await consuming(() => opened);
      const job = newJob();
      await producer.send(job);
      await observed.untilRun(job.payload.id);
      await running.stop('gently');
      await running.start();
      open();
      await observed.untilNotice('job_completed', ({ jobId }) => jobId === jobIdOf(job));
      const next = newJob();
      await sendUntilTaken(next);
      await observed.untilRun(next.payload.id);
    });

    on('a producer that is made while the store is away sends when it is back', async (running) => {
      await running.stop('gently');
      try {
        const refused = await producer.send(newJob()).catch((error: unknown) => error);
        expect(refused).toMatchObject({ code: 'QUEUE_UNAVAILABLE', retryable: true });
        const consumer = observed.consumer();
        await expect(consumer.start()).rejects.toMatchObject({ code: 'QUEUE_UNAVAILABLE' });
      } finally {
        await running.start();
      }
      const job = newJob();
      await sendUntilTaken(job);
      await consuming();
      await observed.untilRun(job.payload.id);
    });

    on('a payload that the catalogue does not know is not sent', async (running) => {
      const job = newJob();
      const sending = (payload: unknown): Promise<void> =>
        producer.send({ ...job, payload } as unknown as Parameters<JobProducer['send']>[0]);
      await expect(sending({ v: 2, id: randomUUID() })).rejects.toMatchObject({ code: 'JOB_VERSION_UNKNOWN' });
      await expect(sending({ v: 1, id: 'nobody' })).rejects.toMatchObject({ code: 'JOB_PAYLOAD_INVALID' });
      await expect(sending({ v: 1, id: randomUUID(), text: 'content' })).rejects.toBeInstanceOf(QueueError);
      expect(await running.findJob('compaction-secure', jobIdOf(job))).toBeUndefined();
    });

    on('a payload of another release fails with its code, and no handler sees it', async (running) => {
      await consuming();
      await running.plant(
        'compaction-secure',
        'compaction.secure',
        { v: 99, id: randomUUID() },
        { jobId: 'from-tomorrow' },
      );
      await running.plant('compaction-secure', 'compaction.secure', { id: 7 }, { jobId: 'from-yesterday' });
      await running.plant('compaction-secure', 'compaction.unheard', jobPayload(randomUUID()), {
        jobId: 'from-elsewhere',
      });
      for (const [planted, code] of [
        ['from-tomorrow', 'JOB_VERSION_UNKNOWN'],
        ['from-yesterday', 'JOB_PAYLOAD_INVALID'],
        ['from-elsewhere', 'JOB_KIND_UNKNOWN'],
      ]) {
        const { error } = await observed.untilNotice('job_failed', ({ jobId }) => jobId === planted);
        expect(error).toMatchObject({ code });
      }
      expect(observed.runs).toEqual([]);
    });

    on('a consumer without a handler for every job is refused', async () => {
      const handlers = { 'compaction.secure': async () => undefined } as unknown as JobHandlers;
      expect(() => observed.backend.createConsumer(handlers)).toThrow(
        expect.objectContaining({
          code: 'JOB_HANDLER_MISSING',
          message: expect.stringContaining('compaction.summarize'),
        }),
      );
    });

    on(
      'the same dispatch sent twice is handled at least once and at most twice; a new dispatch is a new job',
      async () => {
        await consuming();
        const job = newJob();
        await producer.send(job);
        await producer.send(job);
        await observed.untilNotice('job_completed', ({ jobId }) => jobId === jobIdOf(job));
        const again = { ...job, dispatchNo: 2 };
        await producer.send(again);
        await observed.untilNotice('job_completed', ({ jobId }) => jobId === jobIdOf(again));
        const firsts = observed.runs.filter((run) => run.job.jobId === jobIdOf(job));
        expect(firsts.length).toBeGreaterThanOrEqual(1);
        expect(firsts.length).toBeLessThanOrEqual(2);
      },
    );

    on('closing waits for the job that runs and takes no other', async (running) => {
      const { opened, open } = gate();
      const consumer = await consuming(() => opened);
      const job = newJob();
      await producer.send(job);
      const run = await observed.untilRun(job.payload.id);
      const closing = consumer.close(60_000);
      const late = newJob();
      await producer.send(late);
      open();
      await expect(closing).resolves.toBe('drained');
      expect(run.job.signal.aborted).toBe(false);
      expect(consumer.activity().runningJobs).toBe(0);
      expect(await running.findJob('compaction-secure', jobIdOf(job))).toMatchObject({ state: 'completed' });
      expect(await running.findJob('compaction-secure', jobIdOf(late))).toMatchObject({ state: 'waiting' });
    });

    on('closing tells a job that hangs to stop, and ends when it does', async (running) => {
      const consumer = await consuming(({ signal }) => untilAborted(signal));
      const job = newJob();
      await producer.send(job);
      const run = await observed.untilRun(job.payload.id);
      await expect(consumer.close(1_000)).resolves.toBe('aborted');
      expect(run.job.signal.aborted).toBe(true);
      expect(await running.findJob('compaction-secure', jobIdOf(job))).toMatchObject({ state: 'failed' });
    });

    on('closing ends by its deadline although a job never stops', async () => {
      const consumer = await consuming(() => new Promise<void>(() => undefined));
      const job = newJob();
      await producer.send(job);
      const run = await observed.untilRun(job.payload.id);
      await expect(consumer.close(500)).resolves.toBe('abandoned');
      expect(run.job.signal.aborted).toBe(true);
    });

    on('closing ends by its deadline although the store is away', async (running) => {
      const consumer = await consuming();
      await running.stop('kill');
      try {
        await consumer.close(2_000);
      } finally {
        await running.start();
      }
    });

    on('nothing is sent or started after closing', async () => {
      const consumer = await consuming();
      await consumer.close(1_000);
      await expect(consumer.start()).rejects.toMatchObject({ code: 'QUEUE_CLOSED' });
      await observed.backend.close();
      await expect(producer.send(newJob())).rejects.toMatchObject({ code: 'QUEUE_CLOSED' });
      expect(await observed.backend.health()).toMatchObject({ status: 'down', code: 'QUEUE_CLOSED' });
    });
  });
