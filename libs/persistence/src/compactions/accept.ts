import type { FormatName, Mode } from '@holdfast/core';
import type { Database, TenantTransaction } from '../database';
import { bytesToHex } from '../digest-bytes';
import { type EncodedOriginal, encodeOriginals, storeOriginals } from '../originals';
import { writeDispatch } from '../outbox/write-dispatch';
import { PersistenceError } from '../persistence-error';
import { sqlStateOf } from '../sql-state';
import { storedText } from '../text';
import { newId } from '../uuid';
import { findCompaction, type StoredCompaction } from './stored-compaction';

/** Longest accepting transaction: one window of 50 MB. */
const ACCEPT_TIMEOUT_MS = 30_000;

/** A request that passed validation. */
export interface AcceptInput {
  readonly agentId: string;
  /** The caller's own id of the session. */
  readonly session: string;
  readonly format: FormatName;
  /** Source bytes of the window (UTF-8), as they came in. */
  readonly source: Uint8Array;
  readonly budgetTokens: number;
  readonly aimTokens: number | undefined;
  readonly reclaimTargetTokens: number | undefined;
  readonly baseVersion: number | undefined;
  readonly model: string | undefined;
  /** Name of the counter that will count: `o200k_base`. */
  readonly counter: string;
  readonly policyVersion: number;
  readonly mode: Mode;
  readonly idempotencyKey: string | undefined;
  /** sha256 of the request in canonical form, 32 bytes: the same key with another hash is `key_reused`. */
  readonly requestHash: Uint8Array;
  readonly traceparent: string | undefined;
  /** Whom the session is about; stays what it was where it is left out. */
  readonly subject?: string | undefined;
}

export type AcceptAnswer =
  { readonly kind: 'accepted' | 'replayed'; readonly compaction: StoredCompaction } | { readonly kind: 'key_reused' };

/**
 * Accepts a window in one transaction: original, window, session (made at its first use), compaction, outbox row and
 * event. The same idempotency key answers with the first compaction, or `key_reused` when the request was another.
 */
export async function acceptWindow(database: Database, tenantId: string, input: AcceptInput): Promise<AcceptAnswer> {
  const [original] = await encodeOriginals([input.source]);
  if (original === undefined) throw new TypeError('one content in, one original out');
  const accept = (): Promise<AcceptAnswer> =>
    database.withTenant(
      tenantId,
      async (tx) => {
        const replay = await findReplay(tx, tenantId, input);
        if (replay !== undefined) return replay;
        const id = await writeAccepted(tx, tenantId, input, original);
        const compaction = await findCompaction(tx, tenantId, id);
        if (compaction === undefined) throw new PersistenceError('STORE_CONFLICT', `Compaction ${id} was not written`);
        return { kind: 'accepted', compaction };
      },
      { timeoutMs: ACCEPT_TIMEOUT_MS, idempotent: input.idempotencyKey !== undefined },
    );
  try {
    return await accept();
  } catch (error) {
    // Two requests with one key at the same moment: the other one has committed by now.
    if (input.idempotencyKey === undefined || !isUniqueViolation(error)) throw error;
    return accept();
  }
}

function isUniqueViolation(error: unknown): boolean {
  if (sqlStateOf(error) === '23505') return true;
  return error instanceof Error && 'code' in error && error.code === 'P2002';
}

async function findReplay(
  tx: TenantTransaction,
  tenantId: string,
  { idempotencyKey, requestHash }: AcceptInput,
): Promise<AcceptAnswer | undefined> {
  if (idempotencyKey === undefined) return undefined;
  const known = await tx.compaction.findUnique({
    where: { tenantId_idempotencyKey: { tenantId, idempotencyKey: storedText(idempotencyKey) } },
    select: { id: true, requestHash: true },
  });
  if (known === null) return undefined;
  if (bytesToHex(known.requestHash) !== bytesToHex(requestHash)) return { kind: 'key_reused' };
  const compaction = await findCompaction(tx, tenantId, known.id);
  return compaction === undefined ? undefined : { kind: 'replayed', compaction };
}

async function writeAccepted(
  tx: TenantTransaction,
  tenantId: string,
  input: AcceptInput,
  original: EncodedOriginal,
): Promise<string> {
  const session = await takeSequence(tx, tenantId, input);
  const ids = { compactionId: newId(), windowId: newId() };
  await storeOriginals(tx, tenantId, [original]);
  await tx.window.create({
    data: {
      ...{ tenantId, id: ids.windowId, sessionId: session.id, version: session.version, kind: 'accepted' },
      ...{ format: input.format, originalSha256: original.sha256 },
    },
    select: { id: true },
  });
  const tokens = (count: number | undefined): bigint | null => (count === undefined ? null : BigInt(count));
  await tx.compaction.create({
    data: {
      ...{ tenantId, id: ids.compactionId, sessionId: session.id, agentId: input.agentId, seq: session.seq },
      ...{ inputWindowId: ids.windowId, format: input.format, counter: input.counter, mode: input.mode },
      model: input.model === undefined ? null : storedText(input.model),
      requestHash: new Uint8Array(input.requestHash),
      idempotencyKey: input.idempotencyKey === undefined ? null : storedText(input.idempotencyKey),
      baseVersion: tokens(input.baseVersion),
      budgetTokens: BigInt(input.budgetTokens),
      aimTokens: tokens(input.aimTokens),
      targetTokens: tokens(input.reclaimTargetTokens),
      policyVersion: input.policyVersion,
      traceparent: input.traceparent === undefined ? null : storedText(input.traceparent),
    },
    select: { id: true },
  });
  await writeDispatch(tx, tenantId, ids.compactionId, 'compaction.secure');
  await tx.event.create({
    data: {
      ...{ tenantId, compactionId: ids.compactionId, sessionId: session.id, type: 'accepted' },
      detail: { seq: Number(session.seq), bytes: original.size },
    },
    select: { id: true },
  });
  return ids.compactionId;
}

interface SequenceRow {
  readonly id: string;
  readonly version: bigint;
  readonly seq: bigint;
}

/** Makes the session at its first use and takes its next number; the row's lock makes the order that of the commits. */
async function takeSequence(
  tx: TenantTransaction,
  tenantId: string,
  { agentId, session, subject }: AcceptInput,
): Promise<SequenceRow> {
  const externalId = storedText(session);
  const about = subject === undefined ? null : storedText(subject);
  await tx.$executeRaw`
    insert into sessions (tenant_id, id, agent_id, external_id)
    values (${tenantId}::uuid, ${newId()}::uuid, ${agentId}, ${externalId})
    on conflict (tenant_id, agent_id, external_id) do nothing`;
  const [row] = await tx.$queryRaw<SequenceRow[]>`
    update sessions set next_seq = next_seq + 1, subject = coalesce(${about}, subject), erased_at = null
    where tenant_id = ${tenantId}::uuid and agent_id = ${agentId} and external_id = ${externalId}
    returning id::text as id, version, next_seq - 1 as seq`;
  if (row === undefined) throw new PersistenceError('STORE_CONFLICT', 'The session was not made');
  return row;
}
