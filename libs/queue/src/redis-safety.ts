import { Cluster } from 'ioredis';
import type { RedisClient } from './redis-client';
import { evictionPolicies, SAFE_POLICY } from './redis-eviction';

/** Whether Redis keeps what it is given. */
export interface RedisSafety {
  /** Every primary never evicts. */
  readonly noeviction: boolean;
  /** Every primary writes an append-only file, the last time without an error. */
  readonly appendOnly: boolean;
  /** It is in an earlier state than at the last look of this process, or was emptied. */
  readonly rolledBack: boolean;
}

/**
 * Looks at Redis again and again. Each look raises a number that is stored there; one that is not above the number of the
 * look before tells that Redis lost what it had been given since.
 */
export class RedisSafetyWatch {
  private lastMark = 0;

  constructor(private readonly markKey: string) {}

  async look(client: RedisClient): Promise<RedisSafety> {
    // Judged as each answer comes in: they come in the order of the looks, which may overlap.
    const judging = client.incr(this.markKey).then((mark) => {
      const isBehind = mark <= this.lastMark;
      this.lastMark = mark;
      return isBehind;
    });
    const [rolledBack, policies, appendOnly] = await Promise.all([
      judging,
      evictionPolicies(client),
      writesAppendOnly(client),
    ]);
    return { noeviction: policies.every((policy) => policy === SAFE_POLICY), appendOnly, rolledBack };
  }
}

async function writesAppendOnly(client: RedisClient): Promise<boolean> {
  const servers = client instanceof Cluster ? client.nodes('master') : [client];
  const reports = await Promise.all(servers.map((server) => server.info('persistence')));
  return reports.every((report) => /^aof_enabled:1\s*$/m.test(report) && /^aof_last_write_status:ok\s*$/m.test(report));
}
