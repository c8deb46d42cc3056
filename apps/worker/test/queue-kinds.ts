import { isRedisExpected, startRedis, type TestRedis } from '@holdfast/testkit';
import { type Platform, startPlatform } from './platform';

export type QueueKind = 'postgres' | 'redis';

/** Skips the suite by name where there is no Redis; where the run requires one, it runs and fails without. */
export function describeOnRedis(title: string, suite: () => void): void {
  if (isRedisExpected()) describe(title, suite);
  else describe.skip(`${title} (skipped: neither redis-server nor valkey-server is on the PATH)`, suite);
}

export function describeOnEachQueue(title: string, suite: (kind: QueueKind) => void): void {
  describe(`${title}, queue on PostgreSQL`, () => suite('postgres'));
  describeOnRedis(`${title}, queue on Redis`, () => suite('redis'));
}

/** Throws where there is no Redis. */
export async function loadRedis(): Promise<TestRedis> {
  const redis = await startRedis();
  if (redis === null) throw new Error('neither redis-server nor valkey-server is on the PATH');
  return redis;
}

/** A platform with the queue of this kind; closing it stops its Redis too. */
export async function startPlatformOn(kind: QueueKind): Promise<Platform> {
  if (kind === 'postgres') return startPlatform();
  const redis = await loadRedis();
  const platform = await startPlatform(redis.url).catch(async (error: unknown) => {
    await redis.destroy();
    throw error;
  });
  return {
    ...platform,
    async close() {
      await platform.close();
      await redis.destroy();
    },
  };
}
