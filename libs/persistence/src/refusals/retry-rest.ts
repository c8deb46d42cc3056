import type { Database } from '../database';
import { closeIfDone, findRound, resolveRefusals } from './close-group';
import { lockFreeSessions } from './resolve-group';
import { MOST_RETRIES, retrySessions, type RetryTerms, sessionsToRetry } from './retry-sessions';
import { isLive, lockGroup } from './stored-group';

/** Tenants and groups that one turn looks at. */
const MOST_GROUPS = 100;

/** Retries what a resolution left to be retried later. */
export interface RefusalRetrier {
  /** Makes a bounded number of passes; answers how many. The outbox tells the queue of them. */
  retryRest(): Promise<number>;
}

export function createRefusalRetrier(database: Database): RefusalRetrier {
  return {
    async retryRest() {
      const tenants = await database.asSystem(
        (tx) => tx.$queryRaw<{ id: string }[]>`
          select distinct tenant_id::text as id from refusal_groups where status in ('open', 'acknowledged')`,
        { idempotent: true },
      );
      let made = 0;
      for (const { id: tenantId } of tenants) {
        const groups = await database.withTenant(
          tenantId,
          (tx) =>
            tx.refusalGroup.findMany({
              where: { tenantId, status: { in: ['open', 'acknowledged'] }, resolution: { not: null } },
              orderBy: { id: 'asc' },
              take: MOST_GROUPS,
              select: { id: true },
            }),
          { idempotent: true },
        );
        for (const { id } of groups) made += await retryRestOf(database, tenantId, id);
      }
      return made;
    },
  };
}

async function retryRestOf(database: Database, tenantId: string, groupId: string): Promise<number> {
  return database.withTenant(
    tenantId,
    async (tx) => {
      const known = await tx.refusalGroup.findUnique({ where: { tenantId_id: { tenantId, id: groupId } } });
      if (known === null) return 0;
      const round = await findRound(tx, known);
      if (round === undefined || round.sessionId !== undefined) return 0;
      const waiting = await sessionsToRetry(tx, known, round.since, MOST_RETRIES);
      if (waiting.length === 0) return 0;
      const locked = new Set(await lockFreeSessions(tx, tenantId, waiting));
      const group = await lockGroup(tx, tenantId, groupId);
      if (group === undefined || !isLive(group.status)) return 0;
      // Another worker may have been at it before the locks were ours.
      const due = await sessionsToRetry(tx, group, round.since, MOST_RETRIES);
      const mine = due.filter((id) => locked.has(id));
      // Written by resolveRefusal and by nobody else.
      const terms = (round.terms ?? {}) as RetryTerms;
      const { dispatches, passedSessionIds } = await retrySessions(tx, group, mine, terms);
      const touched = await resolveRefusals(tx, tenantId, passedSessionIds);
      for (const id of new Set([groupId, ...touched])) await closeIfDone(tx, tenantId, id);
      return dispatches.length;
    },
    { timeoutMs: 30_000 },
  );
}
