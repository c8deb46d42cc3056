import type { Repair } from '@holdfast/core';
import type { TenantTransaction } from '../database';
import type { RefusalGroup } from '../generated/client';
import { type Dispatch, REDISPATCH_AFTER_MS } from '../outbox/write-dispatch';
import { unpackJson } from '../packed-json';
import { newId } from '../uuid';

/** Passes that one transaction makes; the rest is a worker's. */
export const MOST_RETRIES = 1_000;

/** What a retried pass asks for otherwise than the one that was refused. */
export interface RetryTerms {
  readonly budgetTokens?: number;
  /** `own`: what the session's own refusal says can be reclaimed. */
  readonly reclaimTargetTokens?: number | 'own';
}

export interface Retried {
  readonly dispatches: readonly Dispatch[];
  /** Sessions whose newest window has passed meanwhile: there is nothing to retry. */
  readonly passedSessionIds: readonly string[];
}

/** Sessions with an open refusal of the group that no pass was retried for since, by id. */
export async function sessionsToRetry(
  tx: TenantTransaction,
  { tenantId, id, agentId }: Pick<RefusalGroup, 'tenantId' | 'id' | 'agentId'>,
  since: Date | undefined,
  limit: number,
): Promise<readonly string[]> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    select distinct r.session_id::text as id from refusals r
    where r.tenant_id = ${tenantId}::uuid and r.group_id = ${id}::uuid and r.status = 'open'
      and (${since ?? null}::timestamptz is null or not exists (
        select from compactions c
        where c.tenant_id = r.tenant_id and c.session_id = r.session_id and c.agent_id = ${agentId}
          and c.retry_of is not null and c.accepted_at >= ${since ?? null}::timestamptz
      ))
    order by 1 limit ${limit}::int`;
  return rows.map((row) => row.id);
}

interface NewestPass {
  readonly sessionId: string;
  readonly refusedId: string;
  readonly passed: boolean;
  readonly repairs: Uint8Array;
}

/**
 * Makes a new pass on the newest window of each session, under the agent's settings of now. The sessions are locked by
 * the caller, so nobody numbers a pass meanwhile.
 */
export async function retrySessions(
  tx: TenantTransaction,
  { tenantId, id: groupId }: Pick<RefusalGroup, 'tenantId' | 'id'>,
  sessionIds: readonly string[],
  { budgetTokens, reclaimTargetTokens }: RetryTerms,
): Promise<Retried> {
  if (sessionIds.length === 0) return { dispatches: [], passedSessionIds: [] };
  const newest = await tx.$queryRaw<NewestPass[]>`
    select distinct on (c.session_id) c.session_id::text as "sessionId", r.compaction_id::text as "refusedId", r.repairs,
      (c.outcome in ('compacted', 'unchanged') and c.reason is distinct from 'observe') is true as passed
    from compactions c
    join lateral (
      select r.compaction_id, r.repairs from refusals r
      where r.tenant_id = c.tenant_id and r.group_id = ${groupId}::uuid and r.session_id = c.session_id
      order by r.id desc limit 1
    ) r on true
    where c.tenant_id = ${tenantId}::uuid and c.session_id = any(${[...sessionIds]}::uuid[])
    order by c.session_id, c.seq desc`;
  const due = newest.filter(({ passed }) => !passed);
  const retries = await Promise.all(
    due.map(async ({ sessionId, refusedId, repairs }) => ({
      ...{ id: newId(), sessionId, refusedId },
      target: reclaimTargetTokens === 'own' ? await ownTarget(repairs) : (reclaimTargetTokens ?? null),
    })),
  );
  if (retries.length > 0) await insertRetries(tx, tenantId, retries, budgetTokens ?? null);
  await tx.$executeRaw`
    update refusal_groups set retries_open = retries_open + ${retries.length}::int
    where tenant_id = ${tenantId}::uuid and id = ${groupId}::uuid`;
  return {
    dispatches: retries.map((retry) => ({ topic: 'compaction.secure', compactionId: retry.id, dispatchNo: 1 })),
    passedSessionIds: newest.flatMap(({ sessionId, passed }) => (passed ? [sessionId] : [])),
  };
}

async function ownTarget(packed: Uint8Array): Promise<number | null> {
  const repairs = (await unpackJson(packed)) as readonly Repair[];
  return repairs.find((repair) => repair.kind === 'lower_target')?.reclaim_target_tokens ?? null;
}

interface Retry {
  readonly id: string;
  readonly sessionId: string;
  readonly refusedId: string;
  readonly target: number | null;
}

/** Window, compaction, outbox row and event of each, as accepting a window writes them. */
async function insertRetries(
  tx: TenantTransaction,
  tenantId: string,
  retries: readonly Retry[],
  budgetTokens: number | null,
): Promise<void> {
  const ids = retries.map((retry) => retry.id);
  await tx.$executeRaw`
    with retry as (
      select * from unnest(
        ${ids}::uuid[],
        ${retries.map((retry) => retry.sessionId)}::uuid[],
        ${retries.map((retry) => retry.refusedId)}::uuid[],
        ${retries.map((retry) => retry.target)}::bigint[]
      ) as r (id, session_id, refused_id, target)
    ), numbered as (
      update sessions s set next_seq = s.next_seq + 1 from retry
      where s.tenant_id = ${tenantId}::uuid and s.id = retry.session_id
      returning retry.*, s.next_seq - 1 as seq
    ), newest as (
      select distinct on (c.session_id) c.* from compactions c
      where c.tenant_id = ${tenantId}::uuid and c.session_id in (select session_id from retry)
      order by c.session_id, c.seq desc
    )
    insert into compactions (tenant_id, id, session_id, agent_id, seq, input_window_id, format, counter, model, mode,
      request_hash, budget_tokens, aim_tokens, target_tokens, policy_version, retry_of, dispatch_no, next_dispatch_at)
    select n.tenant_id, r.id, n.session_id, n.agent_id, r.seq, n.input_window_id, n.format, n.counter, n.model, a.mode,
      n.request_hash, greatest(n.budget_tokens, ${budgetTokens}::bigint), n.aim_tokens,
      case when n.target_tokens is null then null else nullif(least(n.target_tokens, r.target), 0) end,
      a.policy_version, r.refused_id, 1, clock_timestamp() + ${REDISPATCH_AFTER_MS}::float8 * interval '1 ms'
    from numbered r
    join newest n on n.session_id = r.session_id
    join agents a on a.tenant_id = n.tenant_id and a.id = n.agent_id`;
  await tx.$executeRaw`
    insert into outbox (tenant_id, topic, aggregate_id, payload, available_at)
    select ${tenantId}::uuid, 'compaction.secure', id, jsonb_build_object('v', 1, 'id', id::text, 'dispatch_no', 1),
      clock_timestamp()
    from unnest(${ids}::uuid[]) as r (id)`;
  await tx.$executeRaw`
    insert into events (tenant_id, compaction_id, session_id, type, detail)
    select c.tenant_id, c.id, c.session_id, 'accepted', jsonb_build_object('seq', c.seq, 'retry_of', c.retry_of::text)
    from compactions c where c.tenant_id = ${tenantId}::uuid and c.id = any(${ids}::uuid[])`;
}
