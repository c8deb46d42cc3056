import type { RequestError } from '@holdfast/contracts';
import { isJsonError, type JsonLimits, type JsonNode, parseJson } from '@holdfast/core';

export type ParsedBody =
  | { readonly kind: 'parsed'; readonly text: string; readonly root: JsonNode }
  | { readonly kind: 'problems'; readonly errors: readonly RequestError[] };

/** Decodes strictly and parses losslessly: node offsets are places in `text`. */
export function parseBody(bytes: Uint8Array, limits: JsonLimits): ParsedBody {
  let text: string;
  try {
    // The byte order mark stays, so that offsets are those of the source; the parser steps over it.
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return refused('BODY_NOT_UTF8', '', 'is not UTF-8');
  }
  try {
    return { kind: 'parsed', text, root: parseJson(text, limits) };
  } catch (thrown) {
    if (!isJsonError(thrown)) throw thrown;
    const inWindow = thrown.path === '/window' || thrown.path.startsWith('/window/');
    switch (thrown.code) {
      case 'JSON_SYNTAX':
        return refused('BODY_NOT_JSON', thrown.path, thrown.message);
      case 'JSON_TOO_DEEP':
        return refused(inWindow ? 'WINDOW_TOO_DEEP' : 'BODY_TOO_DEEP', thrown.path, thrown.message);
      case 'JSON_TOO_MANY_NODES':
        return refused('BODY_TOO_MANY_VALUES', thrown.path, thrown.message);
    }
  }
}

function refused(code: RequestError['code'], path: string, message: string): ParsedBody {
  return { kind: 'problems', errors: [{ code, path, in: 'body', message }] };
}
