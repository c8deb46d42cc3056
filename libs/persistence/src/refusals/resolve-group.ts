import { recordAudit } from '../audit-repository';
import type { Database, TenantTransaction } from '../database';
import type { RefusalGroup } from '../generated/client';
import type { Dispatch } from '../outbox/write-dispatch';
import { isUuid } from '../page';
import { storedText } from '../text';
import { applyResolution, type ChangeProblem } from './apply-resolution';
import { closeIfDone, resolveRefusals } from './close-group';
import { detailOf, type Resolution, sessionOf } from './resolution';
import { MOST_RETRIES, retrySessions, type RetryTerms, sessionsToRetry } from './retry-sessions';
import { isLive, lockGroup, storedGroup, type StoredRefusalGroup } from './stored-group';
import { type GroupActor, mayTouch, writeStep } from './triage';

/** Longest transaction: a thousand passes are made in one. */
const RESOLVE_TIMEOUT_MS = 30_000;

export type ResolveAnswer =
  | {
      readonly kind: 'resolving';
      readonly group: StoredRefusalGroup;
      /** Passes that were made; the queue is to be told of them. */
      readonly dispatches: readonly Dispatch[];
      /** Sessions whose passes a worker makes. */
      readonly remaining: number;
    }
  | { readonly kind: 'closed' }
  | { readonly kind: 'unknown' }
  | ChangeProblem;

/**
 * Makes a change that is meant to let refused passes pass, and retries them: change, step, audit row and new passes in
 * one transaction. The group closes when they have passed, not before.
 */
export async function resolveRefusal(
  database: Database,
  by: GroupActor,
  groupId: string,
  resolution: Resolution,
): Promise<ResolveAnswer> {
  if (!isUuid(groupId)) return { kind: 'unknown' };
  const { tenantId, actor } = by;
  return database.withTenant(
    tenantId,
    async (tx) => {
      const found = await tx.refusalGroup.findUnique({ where: { tenantId_id: { tenantId, id: groupId } } });
      if (found === null || !mayTouch(by, found)) return { kind: 'unknown' };
      const target = await targetOf(tx, found, resolution);
      if (target.kind !== 'sessions') return target;
      // Sessions before groups, as the end of a pass locks them.
      const sessionIds = await lockSessions(tx, tenantId, target);
      const group = await lockGroup(tx, tenantId, groupId);
      if (group === undefined || !isLive(group.status)) return { kind: 'closed' };
      const change = await applyResolution(tx, group, resolution, target.only, actor);
      if (change !== undefined) return change;
      const isAdopted = resolution.kind === 'adopt_best_proven';
      const remaining = target.total - sessionIds.length;
      const terms = termsOf(resolution);
      const detail = {
        ...detailOf(resolution),
        ...(target.only === undefined ? {} : { session_id: target.only }),
        ...{ sessions: sessionIds.length, remaining, terms },
      };
      const comment = 'reason' in resolution ? resolution.reason : undefined;
      await writeStep(tx, group, { kind: 'resolution', actor, comment, detail });
      await tx.refusalGroup.update({
        where: { tenantId_id: { tenantId, id: groupId } },
        data: { resolution: resolution.kind },
        select: { id: true },
      });
      const { dispatches, passedSessionIds } = isAdopted
        ? { dispatches: [], passedSessionIds: sessionIds }
        : await retrySessions(tx, group, sessionIds, terms);
      const touched = await resolveRefusals(tx, tenantId, passedSessionIds);
      for (const id of new Set([groupId, ...touched])) await closeIfDone(tx, tenantId, id);
      await recordAudit(tx, tenantId, { actor, action: 'refusal.resolution', subject: groupId, detail });
      const now = (await lockGroup(tx, tenantId, groupId)) ?? group;
      return { kind: 'resolving', group: await storedGroup(now), dispatches, remaining };
    },
    { timeoutMs: RESOLVE_TIMEOUT_MS },
  );
}

interface Target {
  readonly kind: 'sessions';
  readonly ids: readonly string[];
  /** The one session that it is about. */
  readonly only: string | undefined;
  readonly total: number;
}

async function targetOf(
  tx: TenantTransaction,
  group: RefusalGroup,
  resolution: Resolution,
): Promise<Target | { readonly kind: 'session_unknown' } | { readonly kind: 'compaction_unknown' }> {
  const { tenantId, id: groupId, agentId } = group;
  const one = (sessionId: string): Target => ({ kind: 'sessions', ids: [sessionId], only: sessionId, total: 1 });
  if (resolution.kind === 'adopt_best_proven') {
    if (!isUuid(resolution.compactionId)) return { kind: 'compaction_unknown' };
    const { compactionId } = resolution;
    const refusal = await tx.refusal.findFirst({ where: { tenantId, groupId, compactionId } });
    return refusal === null ? { kind: 'compaction_unknown' } : one(refusal.sessionId);
  }
  const name = sessionOf(resolution);
  if (name !== undefined) {
    const session = await tx.session.findUnique({
      where: { tenantId_agentId_externalId: { tenantId, agentId, externalId: storedText(name) } },
      select: { id: true },
    });
    const sessionId = session?.id;
    const isMember =
      sessionId !== undefined &&
      (await tx.refusal.findFirst({ where: { tenantId, groupId, sessionId }, select: { id: true } })) !== null;
    return isMember ? one(sessionId) : { kind: 'session_unknown' };
  }
  const ids = await sessionsToRetry(tx, group, undefined, MOST_RETRIES);
  const [open] = await tx.$queryRaw<{ sessions: number }[]>`
    select count(distinct session_id)::int as sessions from refusals
    where tenant_id = ${tenantId}::uuid and group_id = ${groupId}::uuid and status = 'open'`;
  return { kind: 'sessions', ids, only: undefined, total: open?.sessions ?? ids.length };
}

/** Of many sessions those that nobody holds at the moment: the others are a worker's. */
async function lockSessions(
  tx: TenantTransaction,
  tenantId: string,
  { ids, only }: Target,
): Promise<readonly string[]> {
  if (only !== undefined) {
    await tx.$queryRaw`
      select 1 as locked from sessions
      where tenant_id = ${tenantId}::uuid and id = ${only}::uuid for no key update`;
    return [only];
  }
  return lockFreeSessions(tx, tenantId, ids);
}

export async function lockFreeSessions(
  tx: TenantTransaction,
  tenantId: string,
  ids: readonly string[],
): Promise<readonly string[]> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    select id::text as id from sessions
    where tenant_id = ${tenantId}::uuid and id = any(${[...ids]}::uuid[])
    order by id for no key update skip locked`;
  return rows.map((row) => row.id);
}

function termsOf(resolution: Resolution): RetryTerms {
  if (resolution.kind === 'lower_target') return { reclaimTargetTokens: resolution.reclaimTargetTokens ?? 'own' };
  if (resolution.kind === 'raise_budget' && resolution.scope === 'pass') {
    return { budgetTokens: resolution.budgetTokens };
  }
  return {};
}
