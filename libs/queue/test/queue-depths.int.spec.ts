import 'reflect-metadata';
import { getQueueToken } from '@nestjs/bullmq';
import { type INestApplicationContext, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { until } from '@holdfast/testkit';
import { createQueueBackend, type JobHandlers, QUEUE_NAMES, type QueueBackend } from '../src';
import { QueueDepths, QueueDepthsModule, type QueueLook, RegisteredQueue } from '../src/nest';
import { newJob } from './observed-consumer';
import { describeOnStore, startPostgresStore, startRedisStore, type StoreUnderTest } from './store-under-test';

jest.setTimeout(120_000);

const STORES = [
  { store: 'PostgreSQL', startStore: () => startPostgresStore() },
  { store: 'Redis', startStore: () => startRedisStore() },
  { store: 'Redis Cluster', startStore: () => startRedisStore(true) },
] as const;

const LOOK_MS = 20_000;
const ALL_AWAY = QUEUE_NAMES.map(() => 'away');
const EMPTY = { waiting: 0, active: 0, delayed: 0, failed: 0, oldestWaitingMs: undefined };

@Module({})
class OperatedModule {}

for (const { store, startStore } of STORES)
  describeOnStore(store, `queue depths on ${store}`, () => {
    let server: StoreUnderTest;
    let backend: QueueBackend;
    let app: INestApplicationContext;

    const startApp = async (): Promise<void> => {
      backend = createQueueBackend(server.config);
      app = await NestFactory.createApplicationContext(
        { module: OperatedModule, imports: [QueueDepthsModule.of(backend)] },
        { logger: false, abortOnError: false },
      );
    };
    const look = (deadlineMs = LOOK_MS): Promise<readonly QueueLook[]> => app.get(QueueDepths).look(deadlineMs);
    const depthOf = async (queue: string): Promise<unknown> => {
      const found = (await look()).find((seen) => seen.queue === queue);
      return found?.status === 'seen' ? found.depth : found;
    };
    const untilSeen = (): Promise<readonly QueueLook[]> =>
      until(
        async () => {
          const looks = await look();
          return looks.every(({ status }) => status === 'seen') ? looks : undefined;
        },
        { deadlineMs: 40_000, describe: () => 'the queues are seen' },
      );

    beforeAll(async () => {
      server = await startStore();
    });
    afterAll(() => server.destroy());

    beforeEach(startApp);
    afterEach(async () => {
      await app.close();
      await backend.close();
      await server.wipe();
    });

    test('nothing stands in a queue that was never used', async () => {
      expect(await look()).toEqual(QUEUE_NAMES.map((queue) => ({ queue, status: 'seen', depth: EMPTY })));
    });

    test('waiting and delayed jobs count in their own queue, and the oldest has an age', async () => {
      await server.plant('compaction-secure', 'compaction.secure', {}, { timestamp: Date.now() - 60_000 });
      for (let newer = 0; newer < 3; newer += 1) await server.plant('compaction-secure', 'compaction.secure', {});
      await server.plant('compaction-summarize', 'compaction.summarize', {}, { delay: 600_000 });

      const secure = await depthOf('compaction-secure');
      expect(secure).toEqual({ ...EMPTY, waiting: 4, oldestWaitingMs: expect.any(Number) });
      expect((secure as { oldestWaitingMs: number }).oldestWaitingMs).toBeGreaterThanOrEqual(60_000);
      expect(await depthOf('compaction-summarize')).toEqual({ ...EMPTY, delayed: 1 });
    });

    test('a running job is active, and one that failed is counted while it is kept', async () => {
      const running: { end?: (error: Error) => void } = {};
      const handlers: JobHandlers = {
        'compaction.secure': () =>
          new Promise((_, reject) => {
            running.end = reject;
          }),
        'compaction.summarize': async () => undefined,
        'alert.deliver': async () => undefined,
      };
      const consumer = backend.createConsumer(handlers);
      await consumer.start();
      const producer = backend.createProducer();
      await producer.send(newJob('compaction.secure'));
      const end = await until(async () => running.end);
      expect(await depthOf('compaction-secure')).toEqual({ ...EMPTY, active: 1 });
      end(new Error('given up'));
      await consumer.close(5_000);
      expect(await depthOf('compaction-secure')).toEqual({ ...EMPTY, failed: 1 });
    });

    test('what Nest injects can only look', () => {
      for (const name of QUEUE_NAMES) {
        const queue: unknown = app.get(getQueueToken(name));
        expect(queue).toBeInstanceOf(RegisteredQueue);
        expect(queue).not.toHaveProperty('add');
      }
    });

    test('a store that stops is away, and seen again when it is back', async () => {
      await untilSeen();
      await server.stop('kill');
      // A server process of an open connection may answer once more before it goes.
      const away = QUEUE_NAMES.map((queue) => ({ queue, status: 'away', code: 'QUEUE_UNAVAILABLE' }));
      const seen = await until(async () => {
        const depths = await look();
        return depths.every(({ status }) => status === 'away') ? depths : undefined;
      });
      expect(seen).toEqual(away);
      await server.start();
      await untilSeen();
    });

    test('a store that is away at the start is seen when it comes', async () => {
      await app.close();
      await backend.close();
      await server.stop('gently');
      await startApp();
      expect((await look()).map(({ status }) => status)).toEqual(ALL_AWAY);
      await server.start();
      await untilSeen();
    });

    test('an application closes while the store is away, whichever is closed first', async () => {
      await untilSeen();
      await server.stop('kill');
      const looking = look();
      await app.close();
      await backend.close();
      expect((await looking).map(({ status }) => status)).toEqual(ALL_AWAY);
      expect(await look()).toEqual(QUEUE_NAMES.map((queue) => ({ queue, status: 'away', code: 'QUEUE_CLOSED' })));
      await server.start();
    });

    test('a look ends at its deadline', async () => {
      expect((await look(0)).map(({ status }) => status)).toEqual(ALL_AWAY);
      await untilSeen();
    });
  });
