import { createHash } from 'node:crypto';
import { inBatches } from './batches';
import { type DataKey, type DataKeys, dataKeysOf } from './content-keys/data-keys';
import { nonceOf, openBytes, SEAL_HEAD_BYTES, sealBytes } from './content-keys/sealed-bytes';
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
  readonly size: bigint;
  /** The data key that its bytes are encrypted with; 0 for none. */
  readonly keyVersion: number;
}

/** Binds encrypted bytes to their place, so that they cannot stand in another one. */
function contextOf(tenantId: string, sha256Hex: string, keyVersion: number): string {
  return `v1|${tenantId}|originals|${sha256Hex}|${keyVersion}`;
}

/** Erasing takes the bytes and leaves the row: what was archived, how long it was, and that it is gone. */
function isErased({ bytes, size }: Pick<StoredOriginal, 'bytes' | 'size'>): boolean {
  return bytes.length === 0 && size > 0n;
}

/** The bytes as they were before they were encrypted; undefined when the key was deleted. */
async function decrypted(
  tx: TenantTransaction,
  tenantId: string,
  stored: StoredOriginal,
): Promise<Uint8Array | undefined> {
  const { keyVersion, bytes } = stored;
  if (keyVersion === 0) return bytes;
  const address = hexOf(stored.sha256);
  const keys = dataKeysOf(tx);
  if (keys === undefined) {
    throw new PersistenceError(
      'CONTENT_KEY_MISSING',
      `Original ${address} is encrypted and no operator key is configured`,
    );
  }
  const key = await keys.find(tx, tenantId, keyVersion);
  if (key === undefined) return undefined;
  try {
    return openBytes(key.key, bytes, contextOf(tenantId, address, keyVersion));
  } catch (error) {
    throw new PersistenceError('ORIGINAL_CORRUPT', `Original ${address} cannot be decrypted`, error);
  }
}

/** The content; undefined when it was erased. */
async function decode(
  tx: TenantTransaction,
  tenantId: string,
  stored: StoredOriginal,
): Promise<Uint8Array | undefined> {
  const bytes = isErased(stored) ? undefined : await decrypted(tx, tenantId, stored);
  if (bytes === undefined) return undefined;
  const reading = stored.encoding === 'deflate' ? inflateWhole(bytes) : Promise.resolve(bytes);
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

/** An original as it goes into its row. */
interface SealedOriginal extends EncodedOriginal {
  readonly address: string;
  readonly keyVersion: number;
}

function sealed(
  original: EncodedOriginal,
  address: string,
  tenantId: string,
  key: DataKey | undefined,
): SealedOriginal {
  if (key === undefined) return { ...original, address, keyVersion: 0 };
  const bytes = sealBytes(key.key, original.bytes, contextOf(tenantId, address, key.version));
  return { ...original, address, bytes, keyVersion: key.version };
}

/**
 * Archives contents, each once per tenant, and proves it: the stored bytes of every one are read back and compared by
 * digest. What was erased and comes again is archived again. Throws ORIGINAL_CORRUPT when the archive holds anything
 * else under a digest.
 */
export async function storeOriginals(
  tx: TenantTransaction,
  tenantId: string,
  originals: readonly EncodedOriginal[],
): Promise<void> {
  const wanted = new Map(originals.map((original) => [hexOf(original.sha256), original]));
  if (wanted.size === 0) return;
  const keys = dataKeysOf(tx);
  const key = await keys?.current(tx, tenantId);
  // In one order everywhere, so that two transactions with the same contents cannot wait for each other in a ring.
  const inOrder = [...wanted].sort(([a], [b]) => (a < b ? -1 : 1));
  const rows = await mapInTurns(inOrder, ([address, original]) => sealed(original, address, tenantId, key));
  const keyVersion = key?.version ?? 0;
  for (const batch of inBatches(rows, INSERT_ROWS)) {
    // A key that was deleted meanwhile encrypts nothing more: nobody could read it.
    await tx.$executeRaw`
      insert into originals (tenant_id, sha256, bytes, encoding, size, key_version)
      select ${tenantId}::uuid, o.sha256, o.bytes, o.encoding, o.size, ${keyVersion}::int
      from unnest(
        ${batch.map((original) => original.sha256)}::bytea[],
        ${batch.map((original) => original.bytes)}::bytea[],
        ${batch.map((original) => original.encoding)}::text[],
        ${batch.map((original) => original.size)}::bigint[]
      ) as o (sha256, bytes, encoding, size)
      where ${keyVersion}::int = 0 or exists (
        select from data_keys k
        where k.tenant_id = ${tenantId}::uuid and k.version = ${keyVersion}::int and octet_length(k.wrapped) > 0
      )
      on conflict do nothing`;
  }
  await proveStored(tx, tenantId, keys, rows, wanted);
}

interface WrittenOriginal {
  readonly sha256: Uint8Array;
  /** sha256 of its bytes as they are stored. */
  readonly digest: Uint8Array;
  readonly head: Uint8Array;
  readonly encoding: string;
  readonly keyVersion: number;
  readonly erased: boolean;
}

async function proveStored(
  tx: TenantTransaction,
  tenantId: string,
  keys: DataKeys | undefined,
  rows: readonly SealedOriginal[],
  wanted: ReadonlyMap<string, EncodedOriginal>,
): Promise<void> {
  // The lock keeps them until the rows that refer to them are committed, against retention.
  const stored = await tx.$queryRaw<WrittenOriginal[]>`
    select sha256, sha256(bytes) as digest, substring(bytes for ${SEAL_HEAD_BYTES}::int) as head, encoding,
      key_version as "keyVersion", octet_length(bytes) = 0 and size > 0 as erased
    from originals where sha256 = any(${rows.map((row) => row.sha256)}::bytea[]) for key share`;
  const written = new Map(stored.map((row) => [hexOf(row.sha256), row]));
  for (const row of rows) {
    const found = written.get(row.address);
    const original = wanted.get(row.address);
    if (found === undefined || original === undefined) {
      keys?.forget(tenantId);
      throw new PersistenceError('STORE_UNAVAILABLE', `Original ${row.address} was not stored: its key was deleted`);
    }
    if (hexOf(found.digest) === hexOf(sha256(row.bytes))) continue;
    if (await isGone(tx, tenantId, found)) await putBack(tx, tenantId, row, found.digest);
    // Somebody stored it before in other words (another level of deflate): its content decides.
    else if (!(await isSame(tx, tenantId, original, found))) await loadOriginal(tx, tenantId, row.sha256);
  }
}

/** Whether the stored bytes are these: encrypted again with the same key and nonce they have the same digest. */
async function isSame(
  tx: TenantTransaction,
  tenantId: string,
  original: EncodedOriginal,
  { digest, head, encoding, keyVersion }: WrittenOriginal,
): Promise<boolean> {
  if (encoding !== original.encoding) return false;
  if (keyVersion === 0) return hexOf(digest) === hexOf(sha256(original.bytes));
  const key = await dataKeysOf(tx)?.find(tx, tenantId, keyVersion);
  if (key === undefined || head.length < SEAL_HEAD_BYTES) return false;
  const context = contextOf(tenantId, hexOf(original.sha256), keyVersion);
  return hexOf(digest) === hexOf(sha256(sealBytes(key.key, original.bytes, context, nonceOf(head))));
}

/** Erased, or encrypted with a key that was deleted. */
async function isGone(tx: TenantTransaction, tenantId: string, found: WrittenOriginal): Promise<boolean> {
  if (found.erased || found.keyVersion === 0) return found.erased;
  const keys = dataKeysOf(tx);
  return keys !== undefined && (await keys.find(tx, tenantId, found.keyVersion)) === undefined;
}

async function putBack(
  tx: TenantTransaction,
  tenantId: string,
  row: SealedOriginal,
  insteadOf: Uint8Array,
): Promise<void> {
  await tx.$executeRaw`
    update originals set bytes = ${row.bytes}, encoding = ${row.encoding}, key_version = ${row.keyVersion}::int
    where tenant_id = ${tenantId}::uuid and sha256 = ${row.sha256} and sha256(bytes) = ${new Uint8Array(insteadOf)}`;
}

function findRow(tx: TenantTransaction, tenantId: string, digest: Uint8Array): Promise<StoredOriginal | null> {
  return tx.original.findUnique({ where: { tenantId_sha256: { tenantId, sha256: new Uint8Array(digest) } } });
}

/** The content under a digest, checked against it; undefined when this tenant archived no such thing or erased it. */
export async function findOriginal(
  tx: TenantTransaction,
  tenantId: string,
  digest: Uint8Array,
): Promise<Uint8Array | undefined> {
  const stored = await findRow(tx, tenantId, digest);
  return stored === null ? undefined : decode(tx, tenantId, stored);
}

/** As `findOriginal`, but throws ORIGINAL_MISSING, and ORIGINAL_ERASED for what was there. */
export async function loadOriginal(tx: TenantTransaction, tenantId: string, digest: Uint8Array): Promise<Uint8Array> {
  const stored = await findRow(tx, tenantId, digest);
  if (stored === null) {
    throw new PersistenceError('ORIGINAL_MISSING', `Original ${hexOf(digest)} is not archived`);
  }
  const content = await decode(tx, tenantId, stored);
  if (content === undefined) throw new PersistenceError('ORIGINAL_ERASED', `Original ${hexOf(digest)} was erased`);
  return content;
}

/** Contents by the lower-case hex of their digests, each checked; what was never archived or is erased is left out. */
export async function findOriginals(
  tx: TenantTransaction,
  tenantId: string,
  digests: readonly Uint8Array[],
): Promise<ReadonlyMap<string, Uint8Array>> {
  if (digests.length === 0) return new Map();
  const rows = await tx.original.findMany({
    where: { tenantId, sha256: { in: digests.map((digest) => new Uint8Array(digest)) } },
  });
  const found = new Map<string, Uint8Array>();
  await mapInTurns(rows, async (row) => {
    const content = await decode(tx, tenantId, row);
    if (content !== undefined) found.set(hexOf(row.sha256), content);
  });
  return found;
}

/** What an erased session refers to is gone for it, also where another session archived the same. Throws ORIGINAL_ERASED. */
export function demandKept({ erasedAt }: { readonly erasedAt: Date | null }): void {
  if (erasedAt !== null) throw new PersistenceError('ORIGINAL_ERASED', 'The session was erased');
}
