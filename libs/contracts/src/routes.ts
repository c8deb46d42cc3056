import { driftIncidentPageSchema, driftIncidentQuerySchema } from './drift-incident';
import { z } from 'zod';
import { agentPageSchema, agentSchema, putAgentRequestSchema } from './agent';
import { apiKeyPageSchema, createdKeySchema, createKeyRequestSchema, keyIdSchema, type Scope } from './api-key';
import { auditQuerySchema, auditReportSchema, auditRequestSchema } from './audit';
import { compactionSchema, receiptSchema } from './compaction';
import { compactionQuerySchema, compactionRequestSchema } from './compaction-request';
import { packListSchema } from './contract-pack';
import {
  draftsSchema,
  importRequestSchema,
  lintFindingsSchema,
  lintRequestSchema,
  suggestionsSchema,
  suggestRequestSchema,
} from './contract-review';
import {
  claimedEffectSchema,
  claimEffectRequestSchema,
  effectAttemptPageSchema,
  ledgerEffectPageSchema,
  ledgerEffectQuerySchema,
  ledgerEffectSchema,
  reconcileEffectRequestSchema,
  settledEffectSchema,
  settleEffectRequestSchema,
} from './effect';
import { livenessSchema, readinessSchema } from './health';
import { planSchema } from './plan';
import type { ProblemCode } from './problem-codes';
import { recalledTextSchema, recallMatchesSchema, recallQuerySchema } from './recall';
import { agentIdSchema, handleSchema, idSchema, pageQuerySchema, sessionNameSchema } from './scalars';
import {
  effectPageSchema,
  recordPageSchema,
  restoredSchema,
  sessionPageSchema,
  sessionQuerySchema,
  sessionSchema,
  windowPageSchema,
} from './session';

export type RouteMethod = 'get' | 'put' | 'post' | 'delete';

/** One kind of answer: its media types, each with a schema where it is JSON. */
export interface RouteAnswer {
  readonly description: string;
  readonly content: Readonly<Record<string, z.ZodType | 'text' | 'bytes'>>;
}

/** One route of the API. `access` is what a key needs, or `public`. */
export interface Route {
  readonly operation: string;
  readonly method: RouteMethod;
  /** Path with `{parameters}`. */
  readonly path: string;
  readonly summary: string;
  readonly tag: string;
  readonly access: 'public' | readonly Scope[];
  readonly parameters?: Readonly<Record<string, z.ZodType>>;
  readonly query?: z.ZodObject;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: z.ZodType;
  readonly answers: Readonly<Record<number, RouteAnswer>>;
  /** Problems of this route, besides those that every route has. */
  readonly problems: readonly ProblemCode[];
}

const JSON_TYPE = 'application/json';

function json(description: string, schema: z.ZodType): RouteAnswer {
  return { description, content: { [JSON_TYPE]: schema } };
}

const AGENT = { agent: agentIdSchema };
const SESSION = { agent: agentIdSchema, session: sessionNameSchema };
const COMPACTION = { id: idSchema };
const EFFECT = { id: idSchema };

const BODY_PROBLEMS = [
  'BODY_NOT_JSON',
  'BODY_NOT_UTF8',
  'BODY_INCOMPLETE',
  'BODY_TOO_LARGE',
  'BODY_TOO_DEEP',
  'BODY_TOO_MANY_VALUES',
  'CONTENT_TYPE_UNSUPPORTED',
  'CONTENT_ENCODING_UNSUPPORTED',
  'FIELD_MISSING',
  'FIELD_UNKNOWN',
  'FIELD_WRONG_TYPE',
  'FIELD_OUT_OF_RANGE',
  'FIELD_INVALID',
] as const;

const WINDOW_PROBLEMS = [
  'WINDOW_TOO_DEEP',
  'WINDOW_TOO_MANY_ELEMENTS',
  'WINDOW_WRONG_SHAPE',
  'FORMAT_UNKNOWN',
  'ELEMENT_WRONG_TYPE',
  'ELEMENT_ID_DUPLICATE',
  'ELEMENT_ID_RESERVED',
  'ELEMENT_NAME_TOO_LONG',
  'TOOL_RESULT_ORPHAN',
  'ROLE_INVALID',
  'SERVER_HELD_HISTORY',
  'AGENT_UNKNOWN',
  'AGENT_NOT_ALLOWED',
] as const;

const QUERY_PROBLEMS = ['FIELD_UNKNOWN', 'FIELD_INVALID', 'FIELD_OUT_OF_RANGE'] as const;

/** Every route of the API; the OpenAPI document and the answer to a wrong method are made of it. */
export const ROUTES: readonly Route[] = [
  {
    operation: 'putAgent',
    method: 'put',
    path: '/v1/agents/{agent}',
    summary: 'Creates an agent or replaces its settings; a change is a new version of its policy.',
    tag: 'agents',
    access: ['agents:write'],
    parameters: AGENT,
    body: putAgentRequestSchema,
    answers: {
      200: json('The settings were replaced.', agentSchema),
      201: json('The agent was created.', agentSchema),
    },
    problems: [
      ...BODY_PROBLEMS,
      'AGENT_NOT_ALLOWED',
      'EFFECT_UNKNOWN',
      'KEY_WITHOUT_EFFECT',
      'JSON_PATH_INVALID',
      'PATTERN_UNSAFE',
      'CONDITION_EMPTY',
      'CONDITION_INCOMPLETE',
      'PACK_UNKNOWN',
    ],
  },
  {
    operation: 'listPacks',
    method: 'get',
    path: '/v1/packs',
    summary: 'Packs of tool contracts that are shipped; one is used where an agent names it.',
    tag: 'contracts',
    access: ['agents:read'],
    answers: { 200: json('The packs.', packListSchema) },
    problems: [],
  },
  {
    operation: 'importContracts',
    method: 'post',
    path: '/v1/contracts/import',
    summary: 'Drafts of contracts from tool definitions. Stores nothing.',
    tag: 'contracts',
    access: ['agents:read'],
    body: importRequestSchema,
    answers: { 200: json('The drafts.', draftsSchema) },
    problems: BODY_PROBLEMS,
  },
  {
    operation: 'lintContracts',
    method: 'post',
    path: '/v1/contracts/lint',
    summary: 'What is wrong with contracts, or probably not meant. Stores nothing.',
    tag: 'contracts',
    access: ['agents:read'],
    body: lintRequestSchema,
    answers: { 200: json('The findings.', lintFindingsSchema) },
    problems: BODY_PROBLEMS,
  },
  {
    operation: 'suggestContracts',
    method: 'post',
    path: '/v1/agents/{agent}/contracts/suggest',
    summary:
      "Proposes contracts from the calls in an agent's stored sessions, for a person to confirm. Stores nothing.",
    tag: 'contracts',
    access: ['agents:read', 'sessions:read'],
    parameters: AGENT,
    body: suggestRequestSchema,
    answers: { 200: json('The proposals.', suggestionsSchema) },
    problems: [...BODY_PROBLEMS, 'AGENT_UNKNOWN', 'AGENT_NOT_ALLOWED', 'SESSION_UNKNOWN', 'BUSY'],
  },
  {
    operation: 'getAgent',
    method: 'get',
    path: '/v1/agents/{agent}',
    summary: 'The settings of an agent.',
    tag: 'agents',
    access: ['agents:read'],
    parameters: AGENT,
    answers: { 200: json('The agent.', agentSchema) },
    problems: ['AGENT_UNKNOWN', 'AGENT_NOT_ALLOWED'],
  },
  {
    operation: 'listAgents',
    method: 'get',
    path: '/v1/agents',
    summary: 'Agents, by name.',
    tag: 'agents',
    access: ['agents:read'],
    query: pageQuerySchema,
    answers: { 200: json('A page of agents.', agentPageSchema) },
    problems: QUERY_PROBLEMS,
  },
  {
    operation: 'createCompaction',
    method: 'post',
    path: '/v1/compactions',
    summary: 'Accepts a window for compaction. Nothing is stored unless all of it is.',
    tag: 'compactions',
    access: ['compactions:write'],
    headers: {
      'Idempotency-Key': 'Makes a repeat of the same request the same compaction: 1 to 200 visible characters.',
      Prefer: '`wait=N`: answers 200 with the outcome when it is there within N seconds, at most 60.',
    },
    body: compactionRequestSchema,
    answers: {
      200: json('It finished while the request waited.', compactionSchema),
      202: json('Accepted; Location names where its outcome will be.', compactionSchema),
    },
    problems: [...BODY_PROBLEMS, ...WINDOW_PROBLEMS, 'IDEMPOTENCY_KEY_REUSED', 'BUSY'],
  },
  {
    operation: 'getCompaction',
    method: 'get',
    path: '/v1/compactions/{id}',
    summary: 'Status and outcome of a compaction.',
    tag: 'compactions',
    access: ['compactions:read'],
    parameters: COMPACTION,
    query: compactionQuerySchema,
    headers: { Prefer: '`wait=N`: answers as soon as it has finished, after N seconds at the latest.' },
    answers: { 200: json('The compaction. `?include=window,receipt,decisions` adds those parts.', compactionSchema) },
    problems: ['COMPACTION_UNKNOWN', 'FIELD_INVALID', 'FIELD_UNKNOWN'],
  },
  {
    operation: 'getCompactionWindow',
    method: 'get',
    path: '/v1/compactions/{id}/window',
    summary: 'The window to go on with, as its exact bytes; the header Holdfast-Window says which one it is.',
    tag: 'compactions',
    access: ['compactions:read'],
    parameters: COMPACTION,
    answers: { 200: { description: 'The window.', content: { [JSON_TYPE]: 'bytes' } } },
    problems: ['COMPACTION_UNKNOWN', 'COMPACTION_NOT_FINISHED'],
  },
  {
    operation: 'getCompactionReceipt',
    method: 'get',
    path: '/v1/compactions/{id}/receipt',
    summary: 'The receipt of a compaction.',
    tag: 'compactions',
    access: ['compactions:read'],
    parameters: COMPACTION,
    answers: { 200: json('The receipt.', receiptSchema) },
    problems: ['COMPACTION_UNKNOWN', 'COMPACTION_NOT_FINISHED', 'RECEIPT_UNKNOWN'],
  },
  {
    operation: 'adoptCompaction',
    method: 'post',
    path: '/v1/compactions/{id}/adopt',
    summary: "Makes the best proven window of a refused compaction the session's window.",
    tag: 'compactions',
    access: ['compactions:write'],
    parameters: COMPACTION,
    answers: { 200: json('Adopted; adopting it again answers the same.', compactionSchema) },
    problems: ['COMPACTION_UNKNOWN', 'NOTHING_TO_ADOPT', 'WINDOW_SUPERSEDED'],
  },
  {
    operation: 'followCompaction',
    method: 'get',
    path: '/v1/compactions/{id}/events',
    summary: 'Progress as server-sent events: accepted, claimed, secured, summarized, finished; ends after the last.',
    tag: 'compactions',
    access: ['compactions:read'],
    parameters: COMPACTION,
    headers: { 'Last-Event-ID': 'Goes on behind this event.' },
    answers: {
      200: { description: 'A stream of events.', content: { 'text/event-stream': 'text' } },
      204: { description: 'Last-Event-ID was the last event; there is nothing to follow.', content: {} },
    },
    problems: ['COMPACTION_UNKNOWN', 'FIELD_INVALID'],
  },
  {
    operation: 'createPlan',
    method: 'post',
    path: '/v1/plans',
    summary: 'What a compaction of this window would do. Stores nothing.',
    tag: 'plans',
    access: ['compactions:write'],
    body: compactionRequestSchema,
    answers: { 200: json('The plan.', planSchema) },
    problems: [...BODY_PROBLEMS, ...WINDOW_PROBLEMS, 'BUSY'],
  },
  {
    operation: 'createAudit',
    method: 'post',
    path: '/v1/audits',
    summary:
      "What somebody's compaction lost or changed, from the windows around it or a transcript that records its own. Stores nothing.",
    tag: 'audits',
    access: ['compactions:read'],
    query: auditQuerySchema,
    body: auditRequestSchema,
    answers: { 200: json('The report.', auditReportSchema) },
    problems: [...BODY_PROBLEMS, ...WINDOW_PROBLEMS, 'BUSY'],
  },
  {
    operation: 'listDriftIncidents',
    method: 'get',
    path: '/v1/drift-incidents',
    summary: 'Where a window that came back was not what had been handed out, newest first.',
    tag: 'sessions',
    access: ['sessions:read'],
    query: driftIncidentQuerySchema,
    answers: { 200: json('A page of incidents.', driftIncidentPageSchema) },
    problems: [...QUERY_PROBLEMS, 'AGENT_NOT_ALLOWED'],
  },
  {
    operation: 'claimEffect',
    method: 'post',
    path: '/v1/effects/claim',
    summary: 'Asks before a write is fired: proceed, or why not. At most one succeeds under a key.',
    tag: 'effects',
    access: ['effects:write'],
    body: claimEffectRequestSchema,
    answers: { 200: json('The answer.', claimedEffectSchema) },
    problems: [...BODY_PROBLEMS, 'AGENT_UNKNOWN', 'AGENT_NOT_ALLOWED', 'ATTEMPT_REUSED'],
  },
  {
    operation: 'settleEffect',
    method: 'post',
    path: '/v1/effects/{id}/settle',
    summary: 'Says how a claimed effect ended; late words are kept as evidence.',
    tag: 'effects',
    access: ['effects:write'],
    parameters: EFFECT,
    body: settleEffectRequestSchema,
    answers: { 200: json('What the ledger says now.', settledEffectSchema) },
    problems: [...BODY_PROBLEMS, 'EFFECT_ID_UNKNOWN', 'ATTEMPT_UNKNOWN'],
  },
  {
    operation: 'reconcileEffect',
    method: 'post',
    path: '/v1/effects/{id}/reconcile',
    summary: 'Closes an effect whose outcome nobody knew, by somebody who looked at the target.',
    tag: 'effects',
    access: ['effects:write'],
    parameters: EFFECT,
    body: reconcileEffectRequestSchema,
    answers: { 200: json('What the ledger says now.', settledEffectSchema) },
    problems: [...BODY_PROBLEMS, 'EFFECT_ID_UNKNOWN', 'EFFECT_IN_FLIGHT', 'EFFECT_CLOSED'],
  },
  {
    operation: 'listLedger',
    method: 'get',
    path: '/v1/effects',
    summary: 'The effect ledger of all sessions, newest first.',
    tag: 'effects',
    access: ['effects:read'],
    query: ledgerEffectQuerySchema,
    answers: { 200: json('A page of effects.', ledgerEffectPageSchema) },
    problems: [...QUERY_PROBLEMS, 'AGENT_NOT_ALLOWED'],
  },
  {
    operation: 'getEffect',
    method: 'get',
    path: '/v1/effects/{id}',
    summary: 'One effect of the ledger.',
    tag: 'effects',
    access: ['effects:read'],
    parameters: EFFECT,
    answers: { 200: json('The effect.', ledgerEffectSchema) },
    problems: ['EFFECT_ID_UNKNOWN'],
  },
  {
    operation: 'listEffectAttempts',
    method: 'get',
    path: '/v1/effects/{id}/attempts',
    summary: 'Everything that was ever learnt of an effect, oldest first: claims with their answers, settling, looks.',
    tag: 'effects',
    access: ['effects:read'],
    parameters: EFFECT,
    query: pageQuerySchema,
    answers: { 200: json('A page of attempts.', effectAttemptPageSchema) },
    problems: [...QUERY_PROBLEMS, 'EFFECT_ID_UNKNOWN'],
  },
  {
    operation: 'getEffectResult',
    method: 'get',
    path: '/v1/effects/{id}/result',
    summary: 'What an effect answered, as its caller settled it.',
    tag: 'effects',
    access: ['effects:read'],
    parameters: EFFECT,
    answers: { 200: json('The result, as its source bytes.', z.unknown()) },
    problems: ['EFFECT_ID_UNKNOWN', 'RESULT_UNKNOWN'],
  },
  {
    operation: 'listSessions',
    method: 'get',
    path: '/v1/sessions',
    summary: 'Sessions, newest first.',
    tag: 'sessions',
    access: ['sessions:read'],
    query: sessionQuerySchema,
    answers: { 200: json('A page of sessions.', sessionPageSchema) },
    problems: [...QUERY_PROBLEMS, 'AGENT_NOT_ALLOWED'],
  },
  {
    operation: 'getSession',
    method: 'get',
    path: '/v1/agents/{agent}/sessions/{session}',
    summary: 'Facts of a session.',
    tag: 'sessions',
    access: ['sessions:read'],
    parameters: SESSION,
    answers: { 200: json('The session.', sessionSchema) },
    problems: ['SESSION_UNKNOWN', 'AGENT_NOT_ALLOWED'],
  },
  {
    operation: 'listRecords',
    method: 'get',
    path: '/v1/agents/{agent}/sessions/{session}/records',
    summary: 'The scratch store of a session, superseded records included.',
    tag: 'sessions',
    access: ['sessions:read'],
    parameters: SESSION,
    query: pageQuerySchema,
    answers: { 200: json('A page of records.', recordPageSchema) },
    problems: [...QUERY_PROBLEMS, 'SESSION_UNKNOWN', 'AGENT_NOT_ALLOWED'],
  },
  {
    operation: 'listEffects',
    method: 'get',
    path: '/v1/agents/{agent}/sessions/{session}/effects',
    summary: 'The effect ledger of a session.',
    tag: 'sessions',
    access: ['sessions:read'],
    parameters: SESSION,
    query: pageQuerySchema,
    answers: { 200: json('A page of effects.', effectPageSchema) },
    problems: [...QUERY_PROBLEMS, 'SESSION_UNKNOWN', 'AGENT_NOT_ALLOWED'],
  },
  {
    operation: 'listWindows',
    method: 'get',
    path: '/v1/agents/{agent}/sessions/{session}/windows',
    summary: 'Windows of a session, newest first.',
    tag: 'sessions',
    access: ['sessions:read'],
    parameters: SESSION,
    query: pageQuerySchema,
    answers: { 200: json('A page of windows.', windowPageSchema) },
    problems: [...QUERY_PROBLEMS, 'SESSION_UNKNOWN', 'AGENT_NOT_ALLOWED'],
  },
  {
    operation: 'restoreWindow',
    method: 'post',
    path: '/v1/agents/{agent}/sessions/{session}/windows/{window}/restore',
    summary: 'Makes an earlier window the current one, as a new version.',
    tag: 'sessions',
    access: ['sessions:write'],
    parameters: { ...SESSION, window: idSchema },
    answers: { 200: json('The session with its window.', restoredSchema) },
    problems: ['SESSION_UNKNOWN', 'WINDOW_UNKNOWN', 'AGENT_NOT_ALLOWED'],
  },
  {
    operation: 'getWindowSource',
    method: 'get',
    path: '/v1/agents/{agent}/sessions/{session}/windows/{window}/source',
    summary: 'A window as its exact bytes.',
    tag: 'sessions',
    access: ['sessions:read'],
    parameters: { ...SESSION, window: idSchema },
    answers: { 200: { description: 'The window.', content: { [JSON_TYPE]: 'bytes' } } },
    problems: ['SESSION_UNKNOWN', 'WINDOW_UNKNOWN', 'ORIGINAL_ERASED', 'AGENT_NOT_ALLOWED'],
  },
  {
    operation: 'recall',
    method: 'get',
    path: '/v1/recall/{handle}',
    summary: 'Reads back an original of a session: text, exact bytes, a part of it, or the lines that hold a text.',
    tag: 'recall',
    access: ['recall:read'],
    parameters: { handle: handleSchema },
    query: recallQuerySchema,
    answers: {
      200: {
        description:
          'The original; with `query`, matches. Repr-Digest carries the sha256 of the body where it is whole.',
        content: {
          'text/plain': 'text',
          'application/octet-stream': 'bytes',
          [JSON_TYPE]: recalledTextSchema.or(recallMatchesSchema),
        },
      },
    },
    problems: [
      'HANDLE_UNKNOWN',
      'ORIGINAL_ERASED',
      'AGENT_NOT_ALLOWED',
      'FIELD_MISSING',
      'FIELD_INVALID',
      'FIELD_OUT_OF_RANGE',
      'FIELD_UNKNOWN',
    ],
  },
  {
    operation: 'createKey',
    method: 'post',
    path: '/v1/keys',
    summary: 'Creates an API key; its text is in this answer and never again.',
    tag: 'keys',
    access: ['keys:manage'],
    body: createKeyRequestSchema,
    answers: { 201: json('The key.', createdKeySchema) },
    problems: [...BODY_PROBLEMS, 'SCOPE_MISSING', 'AGENT_NOT_ALLOWED'],
  },
  {
    operation: 'listKeys',
    method: 'get',
    path: '/v1/keys',
    summary: 'API keys, without their secrets.',
    tag: 'keys',
    access: ['keys:manage'],
    query: pageQuerySchema,
    answers: { 200: json('A page of keys.', apiKeyPageSchema) },
    problems: QUERY_PROBLEMS,
  },
  {
    operation: 'revokeKey',
    method: 'delete',
    path: '/v1/keys/{key}',
    summary: 'Revokes an API key, at once and for good.',
    tag: 'keys',
    access: ['keys:manage'],
    parameters: { key: keyIdSchema },
    answers: { 204: { description: 'Revoked.', content: {} } },
    problems: ['KEY_UNKNOWN'],
  },
  {
    operation: 'getLiveness',
    method: 'get',
    path: '/healthz',
    summary: 'Whether the process runs.',
    tag: 'operation',
    access: 'public',
    answers: { 200: json('It runs.', livenessSchema) },
    problems: [],
  },
  {
    operation: 'getReadiness',
    method: 'get',
    path: '/readyz',
    summary: 'Whether the process can serve: PostgreSQL answers and its migrations are current.',
    tag: 'operation',
    access: 'public',
    answers: { 200: json('It can serve.', readinessSchema), 503: json('It cannot serve.', readinessSchema) },
    problems: [],
  },
  {
    operation: 'getMetrics',
    method: 'get',
    path: '/metrics',
    summary: 'Metrics in the text format of Prometheus; not on this port where METRICS_PORT is set.',
    tag: 'operation',
    access: 'public',
    answers: { 200: { description: 'The metrics.', content: { 'text/plain': 'text' } } },
    problems: ['ROUTE_UNKNOWN'],
  },
  {
    operation: 'getOpenApi',
    method: 'get',
    path: '/openapi.json',
    summary: 'This document.',
    tag: 'operation',
    access: 'public',
    answers: { 200: { description: 'OpenAPI 3.1.', content: { [JSON_TYPE]: 'text' } } },
    problems: [],
  },
  {
    operation: 'getDocs',
    method: 'get',
    path: '/docs',
    summary: 'This document, to read.',
    tag: 'operation',
    access: 'public',
    answers: { 200: { description: 'A page.', content: { 'text/html': 'text' } } },
    problems: [],
  },
];

/** Problems that any route may answer with; the key's only where a key is needed. */
export const COMMON_PROBLEMS: readonly ProblemCode[] = ['METHOD_NOT_ALLOWED', 'INTERNAL', 'STORE_UNAVAILABLE'];
export const KEY_PROBLEMS: readonly ProblemCode[] = ['UNAUTHENTICATED', 'SCOPE_MISSING'];
