import { createHash } from 'node:crypto';
import { inBatches } from './batches';
import type { TenantTransaction } from './database';
import { deflateWhereSmaller, inflateWhole } from './deflation';
import { PersistenceError } from './persistence-error';
import { mapInTurns } from './turns';

/** Rows of one statement; their bytes are in memory twice while it is sent. */
const INSERT_ROWS = 500;

type Bytes = Uint8Array<ArrayBuffer>;

/** Content as the archive stores it. */
export interface EncodedOriginal {
  /** sha256 of the content itself: its address. */
  readonly sha256: Bytes;
  readonly bytes: Bytes;
  readonly encoding: 'identity' | 'deflate';
  /** Bytes of the content itself. */
  readonly size: number;
}

function sha256(bytes: Uint8Array): Bytes {
  return new Uint8Array(createHash('sha256').update(bytes).digest());
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
}

/** Prepares contents for the archive: digests, and deflates what gets smaller. Done before a transaction is opened. */
export async function encodeOriginals(contents: readonly Uint8Array[]): Promise<EncodedOriginal[]> {
  const deflated = await deflateWhereSmaller(contents);
  return mapInTurns(contents.entries(), ([at, content]): EncodedOriginal => {
    const small = deflated[at];
    const address = { sha256: sha256(content), size: content.length };
    return small === undefined
      ? { ...address, bytes: new Uint8Array(content), encoding: 'identity' }
      : { ...address, bytes: new Uint8Array(small), encoding: 'deflate' };
  });
}

interface StoredOriginal {
  readonly sha256: Uint8Array;
  readonly bytes: Uint8Array;
  readonly encoding: string;
}

async function decode(stored: StoredOriginal): Promise<Uint8Array> {
  const reading = stored.encoding === 'deflate' ? inflateWhole(stored.bytes) : Promise.resolve(stored.bytes);
  const content = await reading.catch((error: unknown) => {
    throw new PersistenceError('ORIGINAL_CORRUPT', `Original ${hexOf(stored.sha256)} cannot be inflated`, error);
  });
  if (hexOf(sha256(content)) !== hexOf(stored.sha256)) {
    throw new PersistenceError(
      'ORIGINAL_CORRUPT',
      `Original ${hexOf(stored.sha256)} has other bytes than its digest says`,
    );
  }
  return content;
}

/**
 * Archives contents, each once per tenant, and proves it: the stored bytes of every one are read back and compared by
 * digest. Throws ORIGINAL_CORRUPT when the archive holds anything else under a digest.
 */
export async function storeOriginals(
  tx: TenantTransaction,
  tenantId: string,
  originals: readonly EncodedOriginal[],
): Promise<void> {
  const wanted = new Map(originals.map((original) => [hexOf(original.sha256), original]));
  if (wanted.size === 0) return;
  // In one order everywhere, so that two transactions with the same contents cannot wait for each other in a ring.
  const rows = [...wanted].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, original]) => original);
  for (const batch of inBatches(rows, INSERT_ROWS)) {
    await tx.$executeRaw`
      insert into originals (tenant_id, sha256, bytes, encoding, size)
      select ${tenantId}::uuid, o.sha256, o.bytes, o.encoding, o.size
      from unnest(
        ${batch.map((original) => original.sha256)}::bytea[],
        ${batch.map((original) => original.bytes)}::bytea[],
        ${batch.map((original) => original.encoding)}::text[],
        ${batch.map((original) => original.size)}::bigint[]
      ) as o (sha256, bytes, encoding, size)
      on conflict do nothing`;
  }
  const digests = [...wanted.values()].map((original) => original.sha256);
  const stored = await tx.$queryRaw<{ sha256: Uint8Array; digest: Uint8Array }[]>`
    select sha256, sha256(bytes) as digest from originals where sha256 = any(${digests}::bytea[])`;
  const asWritten = new Map(stored.map((row) => [hexOf(row.sha256), hexOf(row.digest)]));
  for (const [address, original] of wanted) {
    const digest = asWritten.get(address);
    if (digest === undefined) throw new PersistenceError('ORIGINAL_MISSING', `Original ${address} was not stored`);
    // Somebody stored it before in other words (another level of deflate): its content decides.
    if (digest !== hexOf(sha256(original.bytes))) await loadOriginal(tx, tenantId, original.sha256);
  }
}

/** The content under a digest, checked against it; undefined when this tenant archived no such thing. */
export async function findOriginal(
  tx: TenantTransaction,
  tenantId: string,
  digest: Uint8Array,
): Promise<Uint8Array | undefined> {
  const stored = await tx.original.findUnique({
    where: { tenantId_sha256: { tenantId, sha256: new Uint8Array(digest) } },
  });
  return stored === null ? undefined : decode(stored);
}

/** As `findOriginal`, but throws ORIGINAL_MISSING. */
export async function loadOriginal(tx: TenantTransaction, tenantId: string, digest: Uint8Array): Promise<Uint8Array> {
  const content = await findOriginal(tx, tenantId, digest);
  if (content === undefined)
    throw new PersistenceError('ORIGINAL_MISSING', `Original ${hexOf(digest)} is not archived`);
  return content;
}

/** Contents by the lower-case hex of their digests, each checked; what this tenant never archived is left out. */
export async function findOriginals(
  tx: TenantTransaction,
  tenantId: string,
  digests: readonly Uint8Array[],
): Promise<ReadonlyMap<string, Uint8Array>> {
  if (digests.length === 0) return new Map();
  const rows = await tx.original.findMany({
    where: { tenantId, sha256: { in: digests.map((digest) => new Uint8Array(digest)) } },
  });
  return new Map(await mapInTurns(rows, async (row) => [hexOf(row.sha256), await decode(row)] as const));
}
