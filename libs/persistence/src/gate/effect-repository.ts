import type { EffectStatus, ToolContracts } from '@holdfast/core';
import type { Database, SystemTransaction, TenantTransaction } from '../database';
import { fromJsonColumn } from '../json-column';
import type { Effect } from '../generated/client';
import { encodeOriginals, findOriginals } from '../originals';
import { EMPTY_PAGE, isUuid, type Page, pageOf, type PageRequest } from '../page';
import { bytesToHex } from '../digest-bytes';
import { storedText } from '../text';
import { type AttemptReused, type ClaimedEffect, claimEffect } from './claim-effect';
import type { ClaimInput } from './claim-input';
import { leaveUnknown } from './effect-rows';
import {
  claimedView,
  ledgerAttempt,
  type LedgerAttempt,
  ledgerEffect,
  type LedgerEffect,
  listedEffect,
} from './ledger-rows';
import { lockLease } from './register';
import { type Settled, settleEffect, type SettleInput } from './settle-effect';

export interface EffectFilter {
  /** Undefined for all agents. */
  readonly agentIds: readonly string[] | undefined;
  readonly session: string | undefined;
  readonly status: EffectStatus | undefined;
  readonly action: string | undefined;
  readonly key: string | undefined;
}

export interface Claimed extends Omit<ClaimedEffect, 'effect' | 'sessionId'> {
  readonly effect: LedgerEffect | undefined;
  /** JSON text of what the earlier one answered. */
  readonly result: Uint8Array | undefined;
}

export type SettleAnswer =
  | { readonly kind: 'settled'; readonly effect: LedgerEffect; readonly late: boolean; readonly applied: boolean }
  | Exclude<Settled, { kind: 'settled' | 'closed' }>
  | { readonly kind: 'closed'; readonly effect: LedgerEffect };

/** The effect gate and the ledger behind it. */
export interface EffectRepository {
  /** Undefined when the tenant has no such agent. */
  claim(tenantId: string, input: ClaimInput): Promise<Claimed | AttemptReused | undefined>;
  settle(tenantId: string, input: SettleInput): Promise<SettleAnswer>;
  /** Newest first. */
  list(tenantId: string, filter: EffectFilter, page: PageRequest): Promise<Page<LedgerEffect>>;
  find(tenantId: string, id: string): Promise<LedgerEffect | undefined>;
  /** Oldest first. */
  listAttempts(tenantId: string, id: string, page: PageRequest): Promise<Page<LedgerAttempt>>;
  /** JSON text of what an effect answered; undefined when nobody recorded it. */
  findResult(tenantId: string, id: string): Promise<Uint8Array | undefined>;
  /** Leaves effects whose lease ran out as unknown, at most `limit`. Answers how many there were. */
  expireLeases(limit: number): Promise<number>;
}

export function createEffectRepository(database: Database): EffectRepository {
  const reading = { idempotent: true };
  return {
    // Safe to repeat: the same attempt is the same claim.
    claim: (tenantId, input) =>
      database.withTenant(
        tenantId,
        async (tx) => {
          const claimed = await claimEffect(tx, tenantId, input);
          if (claimed === undefined || claimed.kind === 'attempt_reused') return claimed;
          const { effect, sessionId, ...rest } = claimed;
          const isDone = claimed.answer === 'duplicate' && effect !== undefined;
          return {
            ...rest,
            effect: effect === undefined ? undefined : await claimedView(tx, tenantId, effect, input, sessionId),
            result: isDone ? await resultOf(tx, tenantId, effect) : undefined,
          };
        },
        { idempotent: true },
      ),

    async settle(tenantId, input) {
      if (!isUuid(input.effectId)) return { kind: 'unknown' };
      const contents = input.result === undefined ? [] : [Buffer.from(input.result, 'utf8')];
      const [original] = await encodeOriginals(contents);
      return database.withTenant(
        tenantId,
        async (tx) => {
          const of = async (agentId: string): Promise<ToolContracts> =>
            (await contractsOf(tx, tenantId, agentId)) ?? {};
          const settled = await settleEffect(tx, tenantId, of, input, original);
          if (settled.kind !== 'settled' && settled.kind !== 'closed') return settled;
          return { ...settled, effect: await ledgerEffect(tx, tenantId, settled.effect) };
        },
        { idempotent: true },
      );
    },

    list: (tenantId, filter, { limit, after }) =>
      database.withTenant(
        tenantId,
        async (tx) => {
          if (after !== undefined && !isUuid(after)) return EMPTY_PAGE;
          const { agentIds, session, status, action, key } = filter;
          const rows = await tx.effect.findMany({
            where: {
              tenantId,
              ...(agentIds === undefined ? {} : { agentId: { in: [...agentIds] } }),
              ...(session === undefined ? {} : { session: { externalId: storedText(session) } }),
              ...(status === undefined ? {} : { status }),
              ...(action === undefined ? {} : { action: storedText(action) }),
              ...(key === undefined ? {} : { idempotencyKey: storedText(key) }),
              ...(after === undefined ? {} : { id: { lt: after } }),
            },
            include: { session: { select: { externalId: true } } },
            // Ids grow with time.
            orderBy: { id: 'desc' },
            take: limit + 1,
          });
          const page = pageOf(
            rows,
            limit,
            (row) => row,
            ({ id }) => id,
          );
          const items = page.items.map((row) => listedEffect(row, row.session.externalId));
          return { items: await Promise.all(items), next: page.next };
        },
        reading,
      ),

    find: (tenantId, id) =>
      database.withTenant(
        tenantId,
        async (tx) => {
          const row = await effectRow(tx, tenantId, id);
          return row === undefined ? undefined : ledgerEffect(tx, tenantId, row);
        },
        reading,
      ),

    listAttempts: (tenantId, id, { limit, after }) =>
      database.withTenant(
        tenantId,
        async (tx) => {
          if (!isUuid(id) || (after !== undefined && !isUuid(after))) return EMPTY_PAGE;
          const rows = await tx.effectAttempt.findMany({
            where: { tenantId, effectId: id, ...(after === undefined ? {} : { id: { gt: after } }) },
            orderBy: { id: 'asc' },
            take: limit + 1,
          });
          const page = pageOf(
            rows,
            limit,
            (row) => row,
            (row) => row.id,
          );
          return { items: await Promise.all(page.items.map(ledgerAttempt)), next: page.next };
        },
        reading,
      ),

    findResult: (tenantId, id) =>
      database.withTenant(
        tenantId,
        async (tx) => {
          const row = await effectRow(tx, tenantId, id);
          return row === undefined ? undefined : resultOf(tx, tenantId, row);
        },
        reading,
      ),

    async expireLeases(limit) {
      const due = await database.asSystem((tx) => dueLeases(tx, limit), reading);
      for (const { tenantId, effectId } of due) {
        await database.withTenant(tenantId, (tx) => expire(tx, tenantId, effectId), { idempotent: true });
      }
      return due.length;
    },
  };
}

function dueLeases(tx: SystemTransaction, limit: number): Promise<{ tenantId: string; effectId: string }[]> {
  return tx.$queryRaw`
    select tenant_id::text as "tenantId", effect_id::text as "effectId" from effect_keys
    where leased and lease_until <= clock_timestamp() order by lease_until limit ${limit}::int`;
}

async function expire(tx: TenantTransaction, tenantId: string, effectId: string): Promise<void> {
  const lease = await lockLease(tx, tenantId, effectId);
  // Settled or claimed anew since it was found due.
  if (lease === undefined || !lease.leased || lease.lives) return;
  const effect = await effectRow(tx, tenantId, effectId);
  if (effect !== undefined) await leaveUnknown(tx, tenantId, effect);
}

async function contractsOf(
  tx: TenantTransaction,
  tenantId: string,
  agentId: string,
): Promise<ToolContracts | undefined> {
  const agent = await tx.agent.findUnique({
    where: { tenantId_id: { tenantId, id: agentId } },
    select: { policyVersion: true },
  });
  if (agent === null) return undefined;
  const { toolContracts } = await tx.agentPolicy.findUniqueOrThrow({
    where: { tenantId_agentId_version: { tenantId, agentId, version: agent.policyVersion } },
    select: { toolContracts: true },
  });
  return fromJsonColumn(toolContracts) as ToolContracts;
}

async function effectRow(tx: TenantTransaction, tenantId: string, id: string): Promise<Effect | undefined> {
  if (!isUuid(id)) return undefined;
  return (await tx.effect.findUnique({ where: { tenantId_id: { tenantId, id } } })) ?? undefined;
}

async function resultOf(tx: TenantTransaction, tenantId: string, effect: Effect): Promise<Uint8Array | undefined> {
  if (effect.resultSha256 === null) return undefined;
  return (await findOriginals(tx, tenantId, [effect.resultSha256])).get(bytesToHex(effect.resultSha256));
}
