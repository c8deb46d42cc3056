import { deflateWhereSmaller, inflateWhole } from './deflation';

const PLAIN = 0;
const DEFLATED = 1;

function tagged(tag: number, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const packed = new Uint8Array(body.length + 1);
  packed[0] = tag;
  packed.set(body, 1);
  return packed;
}

/** JSON for a bytea column: one byte that says how, then the text, deflated when that is smaller. */
export async function packJson(value: unknown): Promise<Uint8Array<ArrayBuffer>> {
  // JSON.stringify escapes lone surrogates, so this is plain UTF-8.
  const text = Buffer.from(JSON.stringify(value) ?? 'null', 'utf8');
  const [small] = await deflateWhereSmaller([text]);
  return small === undefined ? tagged(PLAIN, text) : tagged(DEFLATED, small);
}

/** What `packJson` packed; `unknown` until the reader has checked it. */
export async function unpackJson(packed: Uint8Array): Promise<unknown> {
  const body = packed.subarray(1);
  const text = packed[0] === DEFLATED ? await inflateWhole(body) : body;
  return JSON.parse(Buffer.from(text.buffer, text.byteOffset, text.byteLength).toString('utf8'));
}
