/**
 * The only parts of the host that the core uses: UTF-8 encoding and decoding, which every JavaScript runtime has.
 * Declared here so that the core compiles without Node's or the browser's types.
 */
declare class TextEncoder {
  encode(input?: string): Uint8Array;
}

declare class TextDecoder {
  constructor(label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean });
  decode(input?: Uint8Array): string;
}
