import type { TenantTransaction } from '../database';
import type { RefusalGroup } from '../generated/client';
import { fromJsonColumn } from '../json-column';
import { sessionsToRetry } from './retry-sessions';
import { isLive, lockGroup } from './stored-group';
import { writeStep } from './triage';
import { writeSignal } from '../alerts/write-signal';

/** Who closes a group when the last of its passes passes. */
export const SYSTEM_ACTOR = 'system';

/** The repair that is being tried: since when, and for which session where it is about one. */
export interface Round {
  readonly since: Date;
  readonly sessionId: string | undefined;
  readonly terms: unknown;
}

/** The newest resolution of a group. */
export async function findRound(
  tx: TenantTransaction,
  { tenantId, id }: Pick<RefusalGroup, 'tenantId' | 'id'>,
): Promise<Round | undefined> {
  const step = await tx.refusalStep.findFirst({
    where: { tenantId, groupId: id, kind: 'resolution' },
    orderBy: { id: 'desc' },
  });
  if (step === null) return undefined;
  const detail = fromJsonColumn(step.detail) as { readonly session_id?: string; readonly terms?: unknown };
  return { since: step.at, sessionId: detail.session_id, terms: detail.terms };
}

/** Refusals of a session that passed: all of them, of whatever cause. Answers the groups that they were in. */
export async function resolveRefusals(
  tx: TenantTransaction,
  tenantId: string,
  sessionIds: readonly string[],
): Promise<readonly string[]> {
  if (sessionIds.length === 0) return [];
  const rows = await tx.$queryRaw<{ groupId: string }[]>`
    update refusals r set status = 'resolved', resolved_at = clock_timestamp()
    from compactions c
    where c.tenant_id = ${tenantId}::uuid and c.session_id = any(${[...sessionIds]}::uuid[])
      and r.tenant_id = c.tenant_id and r.compaction_id = c.id and r.status = 'open' and r.group_id is not null
    returning r.group_id::text as "groupId"`;
  return [...new Set(rows.map((row) => row.groupId))].sort();
}

/**
 * What a group has come to once none of its retried passes is open: resolved where no refusal is open any more, else
 * open as before, with a step that says so.
 */
export async function closeIfDone(
  tx: TenantTransaction,
  tenantId: string,
  groupId: string,
  lastWord: 'refused_again' | 'still_open' = 'still_open',
): Promise<void> {
  const group = await lockGroup(tx, tenantId, groupId);
  if (group === undefined || !isLive(group.status) || group.retriesOpen > 0) return;
  const round = await findRound(tx, group);
  if (await hasMoreToRetry(tx, group, round)) return;
  const [open] = await tx.$queryRaw<{ sessions: number }[]>`
    select count(distinct session_id)::int as sessions from refusals
    where tenant_id = ${tenantId}::uuid and group_id = ${groupId}::uuid and status = 'open'`;
  const sessions = open?.sessions ?? 0;
  if (sessions === 0) await resolveGroup(tx, group);
  else if (group.resolution !== null) await reopenGroup(tx, group, round, { sessions, lastWord });
}

async function hasMoreToRetry(tx: TenantTransaction, group: RefusalGroup, round: Round | undefined): Promise<boolean> {
  if (group.resolution === null || round === undefined || round.sessionId !== undefined) return false;
  return (await sessionsToRetry(tx, group, round.since, 1)).length > 0;
}

async function resolveGroup(tx: TenantTransaction, group: RefusalGroup): Promise<void> {
  const { tenantId, id, agentId, code, resolution } = group;
  await tx.$executeRaw`
    update refusal_groups set status = 'resolved', resolved_at = clock_timestamp()
    where tenant_id = ${tenantId}::uuid and id = ${id}::uuid`;
  await writeStep(tx, group, { kind: 'resolved', actor: SYSTEM_ACTOR, detail: { resolution } });
  const detail = { code, cause: group.cause, resolution, count: Number(group.count) };
  await writeSignal(tx, tenantId, { type: 'compaction.refusal_resolved', agentId, subject: id, detail });
}

/** Other sessions of the cause wait for a repair of their own, or this one was none. */
async function reopenGroup(
  tx: TenantTransaction,
  group: RefusalGroup,
  round: Round | undefined,
  { sessions, lastWord }: { readonly sessions: number; readonly lastWord: string },
): Promise<void> {
  const { tenantId, id, resolution } = group;
  await tx.$executeRaw`
    update refusal_groups set resolution = null, status = 'open'
    where tenant_id = ${tenantId}::uuid and id = ${id}::uuid`;
  const isRepaired = round?.sessionId !== undefined && !(await isOpen(tx, group, round.sessionId));
  const kind = isRepaired ? 'session_resolved' : lastWord;
  const detail = { resolution, sessions_open: sessions, ...(isRepaired ? { session_id: round.sessionId } : {}) };
  await writeStep(tx, group, { kind, actor: SYSTEM_ACTOR, detail });
}

async function isOpen(tx: TenantTransaction, { tenantId, id }: RefusalGroup, sessionId: string): Promise<boolean> {
  const row = await tx.refusal.findFirst({
    where: { tenantId, groupId: id, sessionId, status: 'open' },
    select: { id: true },
  });
  return row !== null;
}
