import { createdKeySchema, keyIdSchema, rotateKeyRequestSchema } from './api-key';
import {
  auditEntryPageSchema,
  auditExportQuerySchema,
  auditLogQuerySchema,
  auditVerificationSchema,
} from './audit-log';
import { erasurePageSchema, erasureRequestSchema, erasureSchema } from './erasure';
import { pageQuerySchema } from './scalars';
import { dataKeyListSchema, dataKeySchema } from './data-key';
import { BODY_PROBLEMS, json, QUERY_PROBLEMS, type Route } from './route';

/** Routes of whoever looks after access: keys, the audit log, erasure. */
export const accessRoutes: readonly Route[] = [
  {
    operation: 'rotateKey',
    method: 'post',
    path: '/v1/keys/{key}/rotate',
    summary: 'Creates a key in the place of another, which stays valid for a while.',
    tag: 'keys',
    access: ['keys:manage'],
    parameters: { key: keyIdSchema },
    body: rotateKeyRequestSchema,
    answers: { 201: json('The new key.', createdKeySchema) },
    problems: [...BODY_PROBLEMS, 'KEY_UNKNOWN', 'SCOPE_MISSING', 'AGENT_NOT_ALLOWED'],
  },
  {
    operation: 'listDataKeys',
    method: 'get',
    path: '/v1/data-keys',
    summary: 'Versions of the key that encrypts stored content, newest first; never the keys.',
    tag: 'keys',
    access: ['keys:manage'],
    answers: { 200: json('The versions.', dataKeyListSchema) },
    problems: ['ENCRYPTION_OFF'],
  },
  {
    operation: 'rotateDataKey',
    method: 'post',
    path: '/v1/data-keys/rotate',
    summary: 'Encrypts what comes with a new key; what is there stays readable.',
    tag: 'keys',
    access: ['keys:manage'],
    answers: { 201: json('The new version.', dataKeySchema) },
    problems: ['ENCRYPTION_OFF'],
  },
  {
    operation: 'listAuditLog',
    method: 'get',
    path: '/v1/audit-log',
    summary: 'Who did what, newest first.',
    tag: 'audit-log',
    access: ['audit:read'],
    query: auditLogQuerySchema,
    answers: { 200: json('A page of entries.', auditEntryPageSchema) },
    problems: QUERY_PROBLEMS,
  },
  {
    operation: 'exportAuditLog',
    method: 'get',
    path: '/v1/audit-log/export',
    summary: 'Who did what, oldest first, one JSON object a line.',
    tag: 'audit-log',
    access: ['audit:read'],
    query: auditExportQuerySchema,
    answers: { 200: { description: 'The entries.', content: { 'application/x-ndjson': 'text' } } },
    problems: ['FIELD_INVALID', 'FIELD_OUT_OF_RANGE', 'FIELD_UNKNOWN'],
  },
  {
    operation: 'verifyAuditLog',
    method: 'get',
    path: '/v1/audit-log/verify',
    summary: 'Walks the chain of the audit log and names the first row that breaks it.',
    tag: 'audit-log',
    access: ['audit:read'],
    answers: { 200: json('What was found.', auditVerificationSchema) },
    problems: [],
  },
  {
    operation: 'createErasure',
    method: 'post',
    path: '/v1/erasures',
    summary:
      'Removes what was stored of a session, an agent, a subject or the tenant; digests, counts and the ledger stay.',
    tag: 'erasures',
    access: ['data:erase'],
    body: erasureRequestSchema,
    answers: { 201: json('What was removed.', erasureSchema) },
    problems: [...BODY_PROBLEMS, 'ERASURE_TARGET_UNKNOWN', 'AGENT_NOT_ALLOWED'],
  },
  {
    operation: 'listErasures',
    method: 'get',
    path: '/v1/erasures',
    summary: 'Erasures, newest first.',
    tag: 'erasures',
    access: ['data:erase'],
    query: pageQuerySchema,
    answers: { 200: json('A page of erasures.', erasurePageSchema) },
    problems: QUERY_PROBLEMS,
  },
];
