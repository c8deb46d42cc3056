import { createHash } from 'node:crypto';
import { type CompactionFields, compactionFieldsSchema, type RequestError } from '@holdfast/contracts';
import {
  detectFormat,
  FORMAT_NAMES,
  type FormatName,
  formatOf,
  type JsonNode,
  member,
  memberEntries,
  type ReadLimits,
  sourceOf,
  toPlain,
} from '@holdfast/core';
import { fieldErrors } from '../problems/field-errors';
import { parseBody } from './parse-body';

export interface BodyLimits {
  readonly maxDepth: number;
  readonly maxElements: number;
}

export type CompactionBody =
  | {
      readonly kind: 'read';
      readonly fields: CompactionFields;
      readonly format: FormatName;
      /** Source bytes of the window: a slice of the body, nothing written anew. */
      readonly source: Uint8Array<ArrayBuffer>;
      /** The model that the window names. */
      readonly windowModel: string | undefined;
      /** sha256 of the request: fields in a fixed order, and the digest of the window's bytes. */
      readonly requestHash: Uint8Array<ArrayBuffer>;
    }
  | { readonly kind: 'problems'; readonly errors: readonly RequestError[] };

/** The body around the window adds one level. */
const LEVELS_OF_THE_BODY = 1;
/** Some 200 MB of nodes, in a thread of their own. */
const MAX_VALUES = 2_000_000;

/**
 * Reads the body of a compaction or a plan: fields by their schema, the window as its source bytes and by the reader
 * of its format. Pure, linear in the body, and long for a large one: see `RequestThreads`.
 */
export function readCompactionBody(bytes: Uint8Array, limits: BodyLimits): CompactionBody {
  const parsed = parseBody(bytes, { maxDepth: limits.maxDepth + LEVELS_OF_THE_BODY, maxNodes: MAX_VALUES });
  if (parsed.kind === 'problems') return parsed;
  const { text, root } = parsed;
  if (root.kind !== 'object') return problem('FIELD_WRONG_TYPE', '', 'is not an object');
  const window = member(root, 'window');
  const plain = Object.fromEntries(
    memberEntries(root)
      .filter(({ key }) => key !== 'window')
      .map(({ key, value }) => [key, toPlain(value)]),
  );
  const checked = compactionFieldsSchema.safeParse(plain);
  const errors = [
    ...(checked.success ? [] : fieldErrors(checked.error, plain, 'body').map(withFormats)),
    ...(window === undefined ? [requestError('FIELD_MISSING', '/window', 'is missing')] : []),
  ];
  if (!checked.success || window === undefined || errors.length > 0) return { kind: 'problems', errors };
  return readWindow(checked.data, sourceOf(text, window), window, limits);
}

function readWindow(fields: CompactionFields, source: string, window: JsonNode, limits: BodyLimits): CompactionBody {
  if (window.kind !== 'array' && window.kind !== 'object') {
    return problem('WINDOW_WRONG_SHAPE', '/window', 'is neither a list nor an object that holds one');
  }
  const format = fields.format ?? detectFormat(source);
  if (format === undefined) {
    return problem('FORMAT_UNKNOWN', '/window', `is none of ${FORMAT_NAMES.join(', ')}; name its format`);
  }
  const readLimits: ReadLimits = { maxDepth: limits.maxDepth, maxElements: limits.maxElements };
  const answer = formatOf(format).read(source, readLimits);
  if (answer.kind === 'server_held') {
    return problem(
      'SERVER_HELD_HISTORY',
      `/window${answer.path}`,
      `refers to history that is not sent: ${answer.evidence}`,
    );
  }
  // What a pass mends by itself (aborted turns, blank messages) is no problem here; an id that means two things is.
  const problems =
    answer.kind === 'invalid'
      ? answer.problems
      : formatOf(format)
          .validate(source)
          .filter(({ code }) => code === 'ELEMENT_ID_DUPLICATE');
  if (answer.kind === 'invalid' || problems.length > 0) {
    return {
      kind: 'problems',
      errors: problems.map(({ code, path, message }) => requestError(code, `/window${path}`, message)),
    };
  }
  const bytes = new TextEncoder().encode(source);
  return {
    kind: 'read',
    fields,
    format,
    source: bytes,
    windowModel: answer.window.model,
    requestHash: requestHash(fields, bytes),
  };
}

function requestHash(fields: CompactionFields, source: Uint8Array): Uint8Array<ArrayBuffer> {
  const ordered = Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1));
  const windowDigest = createHash('sha256').update(source).digest('hex');
  return new Uint8Array(
    createHash('sha256')
      .update(JSON.stringify([ordered, windowDigest]))
      .digest(),
  );
}

function withFormats(error: RequestError): RequestError {
  return error.path === '/format' && error.code === 'FIELD_INVALID'
    ? { ...error, code: 'FORMAT_UNKNOWN', message: `is none of ${FORMAT_NAMES.join(', ')}` }
    : error;
}

function requestError(code: RequestError['code'], path: string, message: string): RequestError {
  return { code, path, in: 'body', message };
}

function problem(code: RequestError['code'], path: string, message: string): CompactionBody {
  return { kind: 'problems', errors: [requestError(code, path, message)] };
}
