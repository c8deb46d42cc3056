import { auditFieldsSchema, type RequestError } from '@holdfast/contracts';
import {
  auditReport,
  type AuditReport,
  auditTranscript,
  auditWindows,
  type AuditWindow,
  detectFormat,
  formatOf,
  FORMAT_NAMES,
  type FormatName,
  InvalidWindowError,
  type JsonNode,
  member,
  memberEntries,
  sourceOf,
  stringValue,
  toPlain,
  type ToolContracts,
  type WindowProblem,
} from '@holdfast/core';
import { fieldErrors } from '../problems/field-errors';
import { parseBody } from '../reading/parse-body';
import type { BodyLimits } from '../reading/read-compaction-body';

export interface AuditTask {
  readonly bytes: Uint8Array;
  readonly limits: BodyLimits;
  readonly contracts: ToolContracts;
}

export type AuditOutcome =
  | { readonly kind: 'audited'; readonly report: AuditReport }
  | { readonly kind: 'problems'; readonly errors: readonly RequestError[] };

/** The members that are read losslessly, never through a schema. */
const CONTENT = ['before', 'after', 'later', 'transcript'] as const;
type Content = (typeof CONTENT)[number];
const MAX_VALUES = 2_000_000;
/** The body around a window adds one level. */
const LEVELS_OF_THE_BODY = 1;

/** Reads the body of an audit and audits it. Pure; long for a large body: see `RequestThreads`. */
export function runAudit({ bytes, limits, contracts }: AuditTask): AuditOutcome {
  const parsed = parseBody(bytes, { maxDepth: limits.maxDepth + LEVELS_OF_THE_BODY, maxNodes: MAX_VALUES });
  if (parsed.kind === 'problems') return parsed;
  const { text, root } = parsed;
  if (root.kind !== 'object') return problem('FIELD_WRONG_TYPE', '', 'is not an object');
  const isContent = (key: string): key is Content => CONTENT.some((name) => name === key);
  const plain = Object.fromEntries(
    memberEntries(root)
      .filter(({ key }) => !isContent(key))
      .map(({ key, value }) => [key, toPlain(value)]),
  );
  const fields = auditFieldsSchema.safeParse(plain);
  if (!fields.success) return { kind: 'problems', errors: fieldErrors(fields.error, plain, 'body') };
  const transcript = member(root, 'transcript');
  const [before, after, later] = (['before', 'after', 'later'] as const).map((name) => member(root, name));
  if (transcript !== undefined) {
    const extra = (['before', 'after', 'later'] as const).find((name) => member(root, name) !== undefined);
    if (extra !== undefined) return problem('FIELD_INVALID', `/${extra}`, 'does not go with a transcript');
    const said = stringValue(transcript);
    if (said === undefined) return problem('FIELD_WRONG_TYPE', '/transcript', 'is not a string');
    const { transcript_kind: kind } = fields.data;
    const options = { contracts, limits, ...(kind === undefined ? {} : { kind }) };
    return atPath('/transcript', () => auditTranscript(said, options));
  }
  if (before === undefined) return problem('FIELD_MISSING', '/before', 'is missing, and so is a transcript');
  if (after === undefined) return problem('FIELD_MISSING', '/after', 'is missing');
  const opened: Partial<Record<'before' | 'after' | 'later', AuditWindow>> = {};
  for (const [name, node, format] of [
    ['before', before, fields.data.format],
    ['after', after, fields.data.after_format],
    ['later', later, fields.data.after_format],
  ] as const) {
    if (node === undefined) continue;
    const window = windowOf(text, node, format);
    if (typeof window === 'string') return problem('FORMAT_UNKNOWN', `/${name}`, window);
    opened[name] = window;
    const errors = windowErrors(`/${name}`, window, limits);
    if (errors.length > 0) return { kind: 'problems', errors };
  }
  const { before: first = EMPTY, after: second = EMPTY, later: third } = opened;
  const input = { before: first, after: second, contracts, limits, ...(third === undefined ? {} : { later: third }) };
  return atPath('', () => auditReport([auditWindows(input)]));
}

const EMPTY: AuditWindow = { format: 'openai-chat', source: '[]' };

function windowOf(text: string, node: JsonNode, named: FormatName | undefined): AuditWindow | string {
  if (node.kind !== 'array' && node.kind !== 'object') return 'is neither a list nor an object that holds one';
  const source = sourceOf(text, node);
  const format = named ?? detectFormat(source);
  return format === undefined ? `is none of ${FORMAT_NAMES.join(', ')}; name its format` : { format, source };
}

/** Each window is read once for its own sake, so that a problem has the path of the window that has it. */
function windowErrors(path: string, { format, source }: AuditWindow, limits: BodyLimits): readonly RequestError[] {
  const answer = formatOf(format).read(source, limits);
  if (answer.kind === 'window') return [];
  if (answer.kind === 'invalid') return at(path, answer.problems);
  const message = `refers to history that is not sent: ${answer.evidence}`;
  return [{ code: 'SERVER_HELD_HISTORY', path: `${path}${answer.path}`, in: 'body', message }];
}

function at(path: string, problems: readonly WindowProblem[]): readonly RequestError[] {
  return problems.map((found) => ({
    code: found.code,
    path: `${path}${found.path}`,
    in: 'body',
    message: found.message,
  }));
}

function atPath(path: string, audit: () => AuditReport): AuditOutcome {
  try {
    return { kind: 'audited', report: audit() };
  } catch (thrown) {
    if (!(thrown instanceof InvalidWindowError)) throw thrown;
    return { kind: 'problems', errors: at(path, thrown.problems) };
  }
}

function problem(code: RequestError['code'], path: string, message: string): AuditOutcome {
  return { kind: 'problems', errors: [{ code, path, in: 'body', message }] };
}
