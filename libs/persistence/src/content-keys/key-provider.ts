import { createSecretKey, type KeyObject } from 'node:crypto';
import { PersistenceError } from '../persistence-error';
import { openBytes, sealBytes } from './sealed-bytes';

/** A key of the operator: 256 bits under a name that stays with what they wrap. */
export interface OperatorKey {
  readonly name: string;
  readonly key: Uint8Array;
}

export interface WrappedKey {
  readonly wrapped: Uint8Array<ArrayBuffer>;
  /** Name of the key that wraps it. */
  readonly wrappedBy: string;
}

/** Keeps the keys that wrap the tenants' data keys: from the environment or a file here, elsewhere from a KMS. */
export interface KeyProvider {
  /** Name of the key that wraps what is new. */
  readonly newest: string;
  /** `context` says which data key it is, so that none can stand in another's place. */
  wrap(dataKey: Uint8Array, context: string): Promise<WrappedKey>;
  /** Throws CONTENT_KEY_MISSING when the key of this name is not there, ORIGINAL_CORRUPT when it does not fit. */
  unwrap(wrapped: WrappedKey, context: string): Promise<Uint8Array>;
}

const KEY_BYTES = 32;

/** A provider over keys at hand, the newest first. Throws a RangeError for none, for a wrong size and a name given twice. */
export function createOperatorKeys(keys: readonly OperatorKey[]): KeyProvider {
  const byName = new Map<string, KeyObject>();
  for (const { name, key } of keys) {
    if (key.length !== KEY_BYTES) throw new RangeError(`operator key ${name} has other than ${KEY_BYTES} bytes`);
    if (byName.has(name)) throw new RangeError(`two operator keys are named ${name}`);
    byName.set(name, createSecretKey(key));
  }
  const newest = keys[0]?.name;
  if (newest === undefined) throw new RangeError('no operator key is given');
  const keyOf = (name: string): KeyObject => {
    const key = byName.get(name);
    if (key !== undefined) return key;
    throw new PersistenceError(
      'CONTENT_KEY_MISSING',
      `Operator key ${name} wraps stored content and is not configured`,
    );
  };
  return {
    newest,
    wrap: async (dataKey, context) => ({ wrapped: sealBytes(keyOf(newest), dataKey, context), wrappedBy: newest }),
    async unwrap({ wrapped, wrappedBy }, context) {
      const key = keyOf(wrappedBy);
      try {
        return openBytes(key, wrapped, context);
      } catch (error) {
        throw new PersistenceError('ORIGINAL_CORRUPT', `Operator key ${wrappedBy} does not open ${context}`, error);
      }
    },
  };
}
