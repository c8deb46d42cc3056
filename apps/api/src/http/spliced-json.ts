/** JSON that stands in an answer as it is, byte for byte, because writing it anew would change it. */
export interface RawMember {
  readonly name: string;
  readonly json: Uint8Array | string;
}

/**
 * The JSON text of an object with members that are spliced in as their source. Their order is last; a member that is
 * raw must not be in `value` too.
 */
export function splicedJson(value: Readonly<Record<string, unknown>>, raw: readonly RawMember[]): Buffer {
  const text = JSON.stringify(value);
  if (raw.length === 0) return Buffer.from(text, 'utf8');
  const pieces: (Uint8Array | string)[] = [text.slice(0, -1)];
  raw.forEach(({ name, json }, index) => {
    pieces.push(index === 0 && text === '{}' ? '' : ',', `${JSON.stringify(name)}:`, json);
  });
  pieces.push('}');
  return Buffer.concat(pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece, 'utf8') : piece)));
}
