import { createHmac } from 'node:crypto';

const PREFIX = 'whsec_';
const FEWEST_KEY_BYTES = 24;
const MOST_KEY_BYTES = 64;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

function keyOf(secret: string): Buffer | null {
  const text = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : '';
  if (text.length > MOST_KEY_BYTES * 2 || !BASE64.test(text)) return null;
  const key = Buffer.from(text, 'base64');
  return key.length >= FEWEST_KEY_BYTES && key.length <= MOST_KEY_BYTES ? key : null;
}

/** A signing secret of Standard Webhooks, from 24 to 64 random bytes. */
export function signingSecretOf(randomBytes: Uint8Array): string {
  return PREFIX + Buffer.from(randomBytes).toString('base64');
}

export function isSigningSecret(text: string): boolean {
  return keyOf(text) !== null;
}

/**
 * The `webhook-signature` of Standard Webhooks 1: HMAC-SHA-256 over id, timestamp and body, one `v1,` signature for each
 * secret. A receiver accepts the message when any of them fits the secret that it knows.
 */
export function signWebhook(id: string, timestampSeconds: number, body: string, secrets: readonly string[]): string {
  return secrets
    .flatMap((secret) => keyOf(secret) ?? [])
    .map((key) => `v1,${createHmac('sha256', key).update(`${id}.${timestampSeconds}.${body}`).digest('base64')}`)
    .join(' ');
}
