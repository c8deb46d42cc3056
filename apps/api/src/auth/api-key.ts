import { createHmac, timingSafeEqual } from 'node:crypto';
import { API_KEY_PATTERN } from '@holdfast/contracts';
import { checksum, randomBase62 } from './base62';

/** An API key in its parts. The text is `hf_<environment>_<keyId><secret><checksum>`. */
export interface ApiKeyParts {
  readonly environment: 'live' | 'test';
  /** Public; finds the key. */
  readonly keyId: string;
  readonly secret: string;
  readonly text: string;
}

const KEY_ID_LENGTH = 12;
const SECRET_LENGTH = 32;
const WHOLE_KEY = new RegExp(`^${API_KEY_PATTERN.source}$`, 'u');

/** The pepper in use; a later one gets a number of its own, and keys say which one they were hashed with. */
export const PEPPER_VERSION = 1;

export function createApiKey(environment: 'live' | 'test'): ApiKeyParts {
  return keyOf(environment, randomBase62(KEY_ID_LENGTH), randomBase62(SECRET_LENGTH));
}

function keyOf(environment: 'live' | 'test', keyId: string, secret: string): ApiKeyParts {
  const body = `hf_${environment}_${keyId}${secret}`;
  return { environment, keyId, secret, text: body + checksum(body) };
}

/** The parts of a key; undefined where the text is none or its checksum is wrong, which spares the database a look. */
export function parseApiKey(text: string): ApiKeyParts | undefined {
  const match = WHOLE_KEY.exec(text);
  const [, environment, keyId, secret, sum] = match ?? [];
  if ((environment !== 'live' && environment !== 'test') || keyId === undefined || secret === undefined)
    return undefined;
  const parts = keyOf(environment, keyId, secret);
  return sum !== undefined && isEqual(Buffer.from(sum), Buffer.from(parts.text.slice(-sum.length))) ? parts : undefined;
}

/** HMAC-SHA-256 of the secret; 190 random bits need no slow hash. */
export function hashSecret(secret: string, pepper: string): Buffer {
  return createHmac('sha256', pepper).update(secret).digest();
}

/** Constant time for equal lengths. */
export function isEqual(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && timingSafeEqual(left, right);
}

/** What a screen may show of a key. */
export function displayOf({ environment, keyId, secret }: ApiKeyParts): string {
  return `hf_${environment}_${keyId.slice(0, 4)}…${secret.slice(-4)}`;
}
