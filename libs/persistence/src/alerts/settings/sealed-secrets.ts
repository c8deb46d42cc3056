import { dataKeysOf } from '../../content-keys/data-keys';
import { openBytes, sealBytes } from '../../content-keys/sealed-bytes';
import type { TenantTransaction } from '../../database';
import { PersistenceError } from '../../persistence-error';

type Bytes = Uint8Array<ArrayBuffer>;

/** In front of the bytes: the version of the data key that seals them, 0 where content is stored as it is. */
const VERSION_BYTES = 4;

/** Binds what is sealed to its channel, so that it cannot stand in another one. */
function contextOf(tenantId: string, channelId: string, keyVersion: number): string {
  return `v1|${tenantId}|alert_channels|${channelId}|${keyVersion}`;
}

/** The secrets of a channel as their column holds them: sealed with the tenant's data key. */
export async function sealSecrets(
  tx: TenantTransaction,
  tenantId: string,
  channelId: string,
  secrets: Readonly<Record<string, unknown>>,
): Promise<Bytes> {
  const plain = Buffer.from(JSON.stringify(secrets), 'utf8');
  const key = await dataKeysOf(tx)?.current(tx, tenantId);
  const version = key?.version ?? 0;
  const body = key === undefined ? plain : sealBytes(key.key, plain, contextOf(tenantId, channelId, version));
  const stored = Buffer.alloc(VERSION_BYTES + body.length);
  stored.writeUInt32BE(version);
  stored.set(body, VERSION_BYTES);
  return new Uint8Array(stored);
}

/**
 * The secrets that were sealed. Throws CHANNEL_UNREADABLE when nothing brings them back: the channel was deleted, its key
 * was, or the bytes are others; CONTENT_KEY_MISSING when this process has no operator key.
 */
export async function openSecrets(
  tx: TenantTransaction,
  tenantId: string,
  channelId: string,
  stored: Uint8Array,
): Promise<Readonly<Record<string, unknown>>> {
  if (stored.length <= VERSION_BYTES) throw unreadable(channelId);
  const bytes = Buffer.from(stored.buffer, stored.byteOffset, stored.byteLength);
  const version = bytes.readUInt32BE();
  const body = bytes.subarray(VERSION_BYTES);
  const plain = version === 0 ? body : await opened(tx, tenantId, channelId, version, body);
  const secrets: unknown = JSON.parse(plain.toString('utf8'));
  if (typeof secrets !== 'object' || secrets === null) throw unreadable(channelId);
  return { ...secrets };
}

async function opened(
  tx: TenantTransaction,
  tenantId: string,
  channelId: string,
  version: number,
  body: Uint8Array,
): Promise<Buffer> {
  const keys = dataKeysOf(tx);
  if (keys === undefined) {
    throw new PersistenceError(
      'CONTENT_KEY_MISSING',
      `The secrets of channel ${channelId} are encrypted and no operator key is configured`,
    );
  }
  const key = await keys.find(tx, tenantId, version);
  if (key === undefined) throw unreadable(channelId);
  try {
    return openBytes(key.key, body, contextOf(tenantId, channelId, version));
  } catch (error) {
    throw unreadable(channelId, error);
  }
}

function unreadable(channelId: string, cause?: unknown): PersistenceError {
  return new PersistenceError('CHANNEL_UNREADABLE', `The secrets of channel ${channelId} cannot be read`, cause);
}
