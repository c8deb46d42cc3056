import type { WindowProblemCode } from '@holdfast/core';
import { ALERT_PROBLEMS } from './alert-problem-codes';

/** What stands behind a problem code: the HTTP status, a title that never changes, and what the caller can do. */
export interface ProblemKind {
  readonly status: number;
  readonly title: string;
  readonly remedy: string;
  /** The same request may succeed later. */
  readonly retryable?: true;
}

const WINDOW_PROBLEMS = {
  WINDOW_NOT_JSON: { status: 400, title: 'The window is not JSON', remedy: 'Send the window as JSON (RFC 8259).' },
  WINDOW_TOO_DEEP: {
    status: 422,
    title: 'The window is nested too deeply',
    remedy: 'Flatten the value at the path; the message states the limit.',
  },
  WINDOW_TOO_MANY_ELEMENTS: {
    status: 413,
    title: 'The window has too many elements',
    remedy: 'Send fewer elements; the message states the limit.',
  },
  WINDOW_WRONG_SHAPE: {
    status: 422,
    title: 'The window does not have the shape of its format',
    remedy: 'Send a list of messages or elements, or the request object that holds it.',
  },
  FORMAT_UNKNOWN: {
    status: 422,
    title: 'The format is unknown',
    remedy: 'Name one of the formats that the message lists.',
  },
  ELEMENT_WRONG_TYPE: {
    status: 422,
    title: 'A value has the wrong type',
    remedy: 'Correct the value at the path.',
  },
  ELEMENT_ID_DUPLICATE: {
    status: 422,
    title: 'Two elements have the same id',
    remedy: 'Give every element of a window, and every call of a turn, an id of its own.',
  },
  ELEMENT_ID_RESERVED: {
    status: 422,
    title: "An element has an id that is Holdfast's own",
    remedy: 'Give the element another id.',
  },
  ELEMENT_NAME_TOO_LONG: {
    status: 422,
    title: 'An id or an idempotency key is too long',
    remedy: 'Send a shorter one, such as its digest; the message states the limit.',
  },
  TOOL_RESULT_ORPHAN: {
    status: 422,
    title: 'A tool result answers no call',
    remedy: 'Send the call in front of its result, or leave the result out.',
  },
  TOOL_RESULT_MISSING: {
    status: 422,
    title: 'A tool call has no result',
    remedy: 'Send the result behind its call.',
  },
  ROLE_INVALID: { status: 422, title: 'A role is unknown', remedy: 'Use a role that the format has.' },
  MESSAGE_EMPTY: { status: 422, title: 'A message says nothing', remedy: 'Leave the message out.' },
} as const satisfies Record<WindowProblemCode, ProblemKind>;

const CONTRACT_PROBLEMS = {
  EFFECT_UNKNOWN: {
    status: 422,
    title: 'A tool contract has an unknown effect',
    remedy: 'Use one of the effects listed.',
  },
  KEY_WITHOUT_EFFECT: {
    status: 422,
    title: 'A tool without an effect has an idempotency key',
    remedy: 'Leave `key` out, or declare the effect that the tool has.',
  },
  JSON_PATH_INVALID: {
    status: 422,
    title: 'A JSON path cannot be used',
    remedy: 'Use a plain path such as `$.order.id` or `$.items[*].id`.',
  },
  PATTERN_UNSAFE: {
    status: 422,
    title: 'A pattern cannot be used',
    remedy: 'Use a simple regular expression: no look-around, no nested repetition, at most 200 characters.',
  },
  CONDITION_EMPTY: {
    status: 422,
    title: 'A condition would hold for every result',
    remedy: 'Give the condition a field, or leave it out.',
  },
  PACK_UNKNOWN: {
    status: 422,
    title: 'There is no such pack of contracts',
    remedy: 'Use a name that `GET /v1/packs` lists.',
  },
  CONDITION_INCOMPLETE: {
    status: 422,
    title: 'A condition is incomplete',
    remedy: 'Give `equals` a `json_path`.',
  },
} as const satisfies Record<string, ProblemKind>;

const REQUEST_PROBLEMS = {
  REQUEST_MALFORMED: {
    status: 400,
    title: 'The request is not HTTP',
    remedy: 'Send a request as RFC 9112 says; the message tells what is wrong with its framing.',
  },
  HEADERS_TOO_LARGE: { status: 431, title: 'The headers are too large', remedy: 'Send smaller headers.' },
  BODY_NOT_JSON: {
    status: 400,
    title: 'The body is not JSON',
    remedy: 'Send valid JSON (RFC 8259); the path and the message say where it breaks.',
  },
  BODY_NOT_UTF8: {
    status: 400,
    title: 'The body is not UTF-8',
    remedy: 'Encode the body as UTF-8; half a surrogate pair is written as an escape.',
  },
  BODY_INCOMPLETE: { status: 400, title: 'The body ended early', remedy: 'Send the whole body.' },
  BODY_TOO_LARGE: {
    status: 413,
    title: 'The body is too large',
    remedy: 'Send a smaller body; the message states the limit in bytes.',
  },
  BODY_TOO_DEEP: {
    status: 422,
    title: 'The body is nested too deeply',
    remedy: 'Flatten the value at the path; the message states the limit.',
  },
  BODY_TOO_MANY_VALUES: {
    status: 413,
    title: 'The body has too many values',
    remedy: 'Send fewer values; the message states the limit.',
  },
  CONTENT_TYPE_UNSUPPORTED: {
    status: 415,
    title: 'The content type is not supported',
    remedy: 'Send application/json.',
  },
  CONTENT_ENCODING_UNSUPPORTED: {
    status: 415,
    title: 'The content encoding is not supported',
    remedy: 'Send the body uncompressed.',
  },
  FIELD_MISSING: { status: 422, title: 'A field is missing', remedy: 'Add the field at the path.' },
  FIELD_UNKNOWN: {
    status: 422,
    title: 'A field is unknown',
    remedy: 'Leave the field at the path out, or correct its name.',
  },
  FIELD_WRONG_TYPE: { status: 422, title: 'A field has the wrong type', remedy: 'Correct the value at the path.' },
  FIELD_OUT_OF_RANGE: {
    status: 422,
    title: 'A field is out of range',
    remedy: 'Correct the value at the path; the message states the limit.',
  },
  FIELD_INVALID: { status: 422, title: 'A field has an invalid value', remedy: 'Correct the value at the path.' },
  SERVER_HELD_HISTORY: {
    status: 422,
    title: 'Part of the history is held by the provider',
    remedy: 'Send the whole history; what is not sent cannot be proven.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    title: 'The idempotency key was used for another request',
    remedy: 'Take a new key for a new request, or send the same request again.',
  },
  UNAUTHENTICATED: { status: 401, title: 'No valid API key', remedy: 'Send `Authorization: Bearer <API key>`.' },
  SCOPE_MISSING: {
    status: 403,
    title: 'The API key lacks a scope',
    remedy: 'Use a key with the scope that the message names.',
  },
  AGENT_NOT_ALLOWED: {
    status: 403,
    title: 'The API key may not act for this agent',
    remedy: 'Use a key that allows the agent.',
  },
  ROUTE_UNKNOWN: { status: 404, title: 'There is no such route', remedy: 'See /docs for the routes.' },
  AGENT_UNKNOWN: { status: 404, title: 'There is no such agent', remedy: 'Create it with PUT /v1/agents/{agent}.' },
  COMPACTION_UNKNOWN: {
    status: 404,
    title: 'There is no such compaction',
    remedy: 'Use the id that creating it returned.',
  },
  SESSION_UNKNOWN: {
    status: 404,
    title: 'There is no such session',
    remedy: 'A session begins with its first compaction.',
  },
  WINDOW_UNKNOWN: { status: 404, title: 'There is no such window', remedy: 'Use the id of a window of this session.' },
  EFFECT_ID_UNKNOWN: {
    status: 404,
    title: 'There is no such effect',
    remedy: 'Use the id that claiming or listing effects returned.',
  },
  ATTEMPT_UNKNOWN: {
    status: 409,
    title: 'The attempt was never told to proceed with this effect',
    remedy: 'Settle with the attempt id of the claim; who looked at the target uses POST .../reconcile.',
  },
  ATTEMPT_REUSED: {
    status: 409,
    title: 'The attempt id stands for another try',
    remedy: 'Take a new attempt id for a new try.',
  },
  EFFECT_IN_FLIGHT: {
    status: 409,
    title: 'An attempt still holds the effect',
    remedy: 'Wait until its lease has run out (Retry-After), or let the attempt settle it.',
    retryable: true,
  },
  EFFECT_CLOSED: {
    status: 409,
    title: 'The effect is closed otherwise',
    remedy: 'A closed effect does not change; the message says as what it stands.',
  },
  RESULT_UNKNOWN: {
    status: 404,
    title: 'No result of this effect is recorded',
    remedy: 'Send `result` when the effect is settled.',
  },
  HANDLE_UNKNOWN: {
    status: 404,
    title: 'There is no such handle in this session',
    remedy: 'Use a handle that a window of this session shows.',
  },
  RECEIPT_UNKNOWN: {
    status: 404,
    title: 'The compaction has no receipt',
    remedy: 'A pass that ended before it secured anything has none.',
  },
  DRIFT_GROUP_UNKNOWN: {
    status: 404,
    title: 'There is no such group of drift incidents',
    remedy: 'Use the id of a group that GET /v1/drift-groups lists.',
  },
  SERIES_UNKNOWN: {
    status: 404,
    title: 'There is no such series',
    remedy: 'Use a name that the documentation of GET /v1/stats/{series} lists.',
  },
  REFUSAL_UNKNOWN: {
    status: 404,
    title: 'There is no such refusal',
    remedy: 'Use the id of a group that GET /v1/refusals lists.',
  },
  KEY_UNKNOWN: { status: 404, title: 'There is no such API key', remedy: 'Use the key_id that creating it returned.' },
  ERASURE_TARGET_UNKNOWN: {
    status: 404,
    title: 'There is nothing of this name to erase',
    remedy: 'Name a session by its id, an agent by its name, the tenant by its own name.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    title: 'The route does not have this method',
    remedy: 'Use a method of the Allow header.',
  },
  REQUEST_TIMEOUT: {
    status: 408,
    title: 'The request took too long to arrive',
    remedy: 'Send the request faster.',
    retryable: true,
  },
  COMPACTION_NOT_FINISHED: {
    status: 409,
    title: 'The compaction has not finished',
    remedy: 'Wait for it: poll its status, follow its events, or send `Prefer: wait=60` when creating it.',
    retryable: true,
  },
  ELEMENT_UNKNOWN: {
    status: 404,
    title: 'There is no such element in this session',
    remedy: 'Use an element_id that a refusal or a receipt of this session names.',
  },
  RECORD_UNKNOWN: {
    status: 404,
    title: 'There is no such record in this session',
    remedy: 'Use a ref that the records of this session list.',
  },
  REFUSAL_CLOSED: {
    status: 409,
    title: 'The refusal is resolved or dismissed',
    remedy: 'The same cause seen again opens a new one; comments are always taken.',
  },
  NOTHING_TO_ADOPT: {
    status: 409,
    title: 'The compaction has no best proven window',
    remedy: 'Only a refused pass that proved a smaller window has one.',
  },
  WINDOW_SUPERSEDED: {
    status: 409,
    title: 'The window of the session has moved on',
    remedy: 'Compact the newest window of the session.',
  },
  ENCRYPTION_OFF: {
    status: 409,
    title: 'Content is not encrypted here',
    remedy: 'The operator sets ENCRYPTION_KEYS.',
  },
  ORIGINAL_ERASED: {
    status: 410,
    title: 'The content was erased',
    remedy: 'Nothing brings it back: retention or an erasure removed it; its digest and size are kept.',
  },
  RATE_LIMITED: {
    status: 429,
    title: 'Too many requests with this API key',
    remedy: 'Send the same request again after the time in Retry-After.',
    retryable: true,
  },
  INTERNAL: {
    status: 500,
    title: 'Something broke inside Holdfast',
    remedy: 'Report it with the request id; nothing was stored in part.',
  },
  STORE_UNAVAILABLE: {
    status: 503,
    title: 'The database does not answer',
    remedy: 'Send the same request again after the time in Retry-After.',
    retryable: true,
  },
  BUSY: {
    status: 503,
    title: 'The server is busy or shutting down',
    remedy: 'Send the same request again after the time in Retry-After.',
    retryable: true,
  },
} as const satisfies Record<string, ProblemKind>;

const KINDS = { ...REQUEST_PROBLEMS, ...ALERT_PROBLEMS, ...WINDOW_PROBLEMS, ...CONTRACT_PROBLEMS };

export type ProblemCode = keyof typeof KINDS;

/** Every problem that the API answers with; codes are stable. */
export const PROBLEM_KINDS: Readonly<Record<ProblemCode, ProblemKind>> = KINDS;
export const PROBLEM_CODES = Object.keys(KINDS) as [ProblemCode, ...ProblemCode[]];

export function isProblemCode(value: string): value is ProblemCode {
  return Object.hasOwn(KINDS, value);
}
