import { Redis } from 'ioredis';
import { startRedis, type TestRedis } from '@holdfast/testkit';
import { createQueueBackend, type QueueBackend } from '../src';
import { describeOnStore } from './store-under-test';

jest.setTimeout(60_000);

async function onRedis(
  flags: readonly string[],
  work: (queue: QueueBackend, server: TestRedis) => Promise<void>,
): Promise<void> {
  const server = await startRedis(flags);
  if (server === null) throw new Error('neither redis-server nor valkey-server is on the PATH');
  const queue = createQueueBackend({ kind: 'redis', url: server.url });
  try {
    await work(queue, server);
  } finally {
    await queue.close();
    await server.destroy();
  }
}

describeOnStore('Redis', 'whether Redis keeps what it is given', () => {
  it('one that never evicts and writes an append-only file', () =>
    onRedis([], async (queue) => {
      const looks = await Promise.all([queue.redisSafety(), queue.redisSafety(), queue.redisSafety()]);
      expect(looks).toEqual(looks.map(() => ({ noeviction: true, appendOnly: true, rolledBack: false })));
    }));

  it('one that evicts and writes no file', () =>
    onRedis(['--maxmemory-policy', 'allkeys-lru', '--appendonly', 'no'], async (queue) => {
      expect(await queue.redisSafety()).toEqual({ noeviction: false, appendOnly: false, rolledBack: false });
    }));

  it('one that was emptied since the last look, once', () =>
    onRedis([], async (queue, { url }) => {
      await queue.redisSafety();
      const operator = new Redis(url);
      await operator.flushall();
      operator.disconnect();
      expect((await queue.redisSafety())?.rolledBack).toBe(true);
      expect((await queue.redisSafety())?.rolledBack).toBe(false);
    }));

  it('one that is away says nothing', () =>
    onRedis([], async (queue, server) => {
      await queue.redisSafety();
      await server.stop('kill');
      await expect(queue.redisSafety()).rejects.toMatchObject({ code: 'QUEUE_UNAVAILABLE' });
      await server.start();
    }));
});

describeOnStore('PostgreSQL', 'a queue on PostgreSQL', () => {
  it('has no Redis to look at', async () => {
    const queue = createQueueBackend({ kind: 'postgres', connectionString: 'postgresql://x:y@127.0.0.1:1/z' });
    expect(await queue.redisSafety()).toBeUndefined();
    await queue.close();
  });
});
