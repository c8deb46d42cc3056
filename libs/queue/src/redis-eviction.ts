import { Cluster } from 'ioredis';
import { QueueError } from './queue-error';
import type { RedisClient } from './redis-client';

export const SAFE_POLICY = 'noeviction';

/**
 * Throws QUEUE_EVICTION_UNSAFE unless every primary says that it never evicts. With any other policy a full server
 * drops locks and job lists, and nobody is told.
 */
export async function checkEvictionPolicy(client: RedisClient): Promise<void> {
  for (const policy of await evictionPolicies(client)) {
    if (policy === undefined) {
      throw new QueueError('QUEUE_EVICTION_UNSAFE', 'Redis does not say what its maxmemory-policy is');
    }
    if (policy !== SAFE_POLICY) {
      throw new QueueError('QUEUE_EVICTION_UNSAFE', `the maxmemory-policy of Redis is ${policy}, not ${SAFE_POLICY}`);
    }
  }
}

/** What every primary says that it does when it is full; undefined where it does not say. */
export async function evictionPolicies(client: RedisClient): Promise<readonly (string | undefined)[]> {
  const servers = client instanceof Cluster ? client.nodes('master') : [client];
  return Promise.all(servers.map(async (server) => (await configuredPolicy(server)) ?? reportedPolicy(server)));
}

type OneServer = Exclude<RedisClient, Cluster>;

/** Undefined where CONFIG is not allowed, as on many managed servers. */
async function configuredPolicy(server: OneServer): Promise<string | undefined> {
  try {
    const answer: unknown = await server.config('GET', 'maxmemory-policy');
    return Array.isArray(answer) && typeof answer[1] === 'string' ? answer[1] : undefined;
  } catch {
    return undefined;
  }
}

async function reportedPolicy(server: OneServer): Promise<string | undefined> {
  return /^maxmemory_policy:(\S+)/m.exec(await server.info('memory'))?.[1];
}
