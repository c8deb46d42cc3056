import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { deflate, inflate } from 'node:zlib';
import type { TenantTransaction } from './database';
import { PersistenceError } from './persistence-error';

const deflated = promisify<Uint8Array, Buffer>(deflate);
const inflated = promisify<Uint8Array, Buffer>(inflate);

/** Below this size the header of a deflated stream eats the gain. */
const WORTH_DEFLATING_BYTES = 64;

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
export function encodeOriginals(contents: readonly Uint8Array[]): Promise<EncodedOriginal[]> {
  return Promise.all(
    contents.map(async (content): Promise<EncodedOriginal> => {
      const size = content.length;
      const small = size < WORTH_DEFLATING_BYTES ? undefined : await deflated(content);
      return small !== undefined && small.length < size
        ? { sha256: sha256(content), bytes: new Uint8Array(small), encoding: 'deflate', size }
        : { sha256: sha256(content), bytes: new Uint8Array(content), encoding: 'identity', size };
    }),
  );
}

interface StoredOriginal {
  readonly sha256: Uint8Array;
  readonly bytes: Uint8Array;
  readonly encoding: string;
}

async function decode(stored: StoredOriginal): Promise<Uint8Array> {
  const content = await (stored.encoding === 'deflate' ? inflated(stored.bytes) : Promise.resolve(stored.bytes)).catch(
    (error: unknown) => {
      throw new PersistenceError('ORIGINAL_CORRUPT', `Original ${hexOf(stored.sha256)} cannot be inflated`, error);
    },
  );
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
  await tx.original.createMany({
    // In one order everywhere, so that two transactions with the same contents cannot wait for each other in a ring.
    data: [...wanted]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, original]) => ({
        tenantId,
        sha256: original.sha256,
        bytes: original.bytes,
        encoding: original.encoding,
        size: BigInt(original.size),
      })),
    skipDuplicates: true,
  });
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
  return new Map(await Promise.all(rows.map(async (row) => [hexOf(row.sha256), await decode(row)] as const)));
}
