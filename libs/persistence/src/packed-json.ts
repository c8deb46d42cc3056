import { promisify } from 'node:util';
import { deflate, inflate } from 'node:zlib';

const deflated = promisify<Uint8Array, Buffer>(deflate);
const inflated = promisify<Uint8Array, Buffer>(inflate);

const PLAIN = 0;
const DEFLATED = 1;
/** Below this size the header of a deflated stream eats the gain. */
const WORTH_DEFLATING_BYTES = 64;

/** JSON for a bytea column: one byte that says how, then the text, deflated when that is smaller. */
export async function packJson(value: unknown): Promise<Uint8Array<ArrayBuffer>> {
  // JSON.stringify escapes lone surrogates, so this is plain UTF-8.
  const text = Buffer.from(JSON.stringify(value) ?? 'null', 'utf8');
  if (text.length >= WORTH_DEFLATING_BYTES) {
    const small = await deflated(text);
    if (small.length < text.length) return join(DEFLATED, small);
  }
  return join(PLAIN, text);
}

function join(tag: number, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const packed = new Uint8Array(body.length + 1);
  packed[0] = tag;
  packed.set(body, 1);
  return packed;
}

/** What `packJson` packed; `unknown` until the reader has checked it. */
export async function unpackJson(packed: Uint8Array): Promise<unknown> {
  const body = packed.subarray(1);
  const text = packed[0] === DEFLATED ? await inflated(body) : body;
  return JSON.parse(Buffer.from(text.buffer, text.byteOffset, text.byteLength).toString('utf8'));
}
