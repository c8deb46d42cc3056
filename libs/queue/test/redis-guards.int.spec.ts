import { Redis } from 'ioredis';
import { startFaultProxy, startRedis, type TestRedis } from '@holdfast/testkit';
import { createQueueBackend, type JobHandlers, type QueueBackend, type RedisQueueConfig } from '../src';
import { newJob } from './observed-consumer';
import { describeOnStore } from './store-under-test';

jest.setTimeout(60_000);

const HANDLERS: JobHandlers = {
  'compaction.secure': async () => undefined,
  'compaction.summarize': async () => undefined,
  'alert.deliver': async () => undefined,
};

async function onRedis(flags: readonly string[], work: (server: TestRedis) => Promise<void>): Promise<void> {
  const server = await startRedis(flags);
  if (server === null) throw new Error('neither redis-server nor valkey-server is on the PATH');
  try {
    await work(server);
  } finally {
    await server.destroy();
  }
}

async function withQueue(config: RedisQueueConfig, work: (queue: QueueBackend) => Promise<void>): Promise<void> {
  const queue = createQueueBackend(config);
  try {
    await work(queue);
  } finally {
    await queue.close();
  }
}

describeOnStore('Redis', 'Redis as a store of jobs', () => {
  describe('a Redis that may evict keys', () => {
    const EVICTING = ['--maxmemory-policy', 'allkeys-lru'];

    it.each([
      ['which says so', EVICTING],
      ['where CONFIG is not allowed', [...EVICTING, '--rename-command', 'CONFIG', '']],
    ])('%s is refused at the start of a consumer', (_, flags) =>
      onRedis(flags, ({ url }) =>
        withQueue({ kind: 'redis', url }, async (queue) => {
          await expect(queue.createConsumer(HANDLERS).start()).rejects.toMatchObject({
            code: 'QUEUE_EVICTION_UNSAFE',
            message: expect.stringContaining('allkeys-lru'),
          });
        }),
      ),
    );

    it('is taken where the operator says so', () =>
      onRedis(EVICTING, ({ url }) =>
        withQueue({ kind: 'redis', url, allowUnsafeRedis: true }, async (queue) => {
          await expect(queue.createConsumer(HANDLERS).start()).resolves.toBeUndefined();
        }),
      ));
  });

  it('a Redis that never evicts is taken, though CONFIG is not allowed', () =>
    onRedis(['--rename-command', 'CONFIG', ''], ({ url }) =>
      withQueue({ kind: 'redis', url }, async (queue) => {
        await expect(queue.prepare()).resolves.toBeUndefined();
      }),
    ));

  it('a full Redis refuses a job as unavailable, and takes it when there is room', () =>
    onRedis([], async ({ url }) => {
      await withQueue({ kind: 'redis', url }, async (queue) => {
        const producer = queue.createProducer();
        await producer.send(newJob());
        await setMaxmemory(url, '1');
        await expect(producer.send(newJob())).rejects.toMatchObject({ code: 'QUEUE_UNAVAILABLE', retryable: true });
        await setMaxmemory(url, '0');
        await expect(producer.send(newJob())).resolves.toBeUndefined();
      });
    }));

  it('a network that swallows everything fails a send and the health, and neither hangs', () =>
    onRedis([], async ({ port }) => {
      const proxy = await startFaultProxy(port);
      try {
        await withQueue({ kind: 'redis', url: `redis://127.0.0.1:${proxy.port}` }, async (queue) => {
          const producer = queue.createProducer();
          await producer.send(newJob());
          proxy.setFault('blackhole');
          await expect(producer.send(newJob())).rejects.toMatchObject({ code: 'QUEUE_UNAVAILABLE' });
          expect(await queue.health()).toMatchObject({ status: 'down', code: 'QUEUE_UNAVAILABLE' });
        });
      } finally {
        await proxy.close();
      }
    }));
});

async function setMaxmemory(url: string, bytes: string): Promise<void> {
  const client = new Redis(url);
  try {
    await client.config('SET', 'maxmemory', bytes);
  } finally {
    client.disconnect();
  }
}
