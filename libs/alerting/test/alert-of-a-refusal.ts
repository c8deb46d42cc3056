import type { AlertNotification } from '../src/alert-notification';

/** A refusal that leaves its agent stuck. */
export const ALERT_OF_A_REFUSAL: AlertNotification = {
  notificationId: 'msg_01jd8x3k2v',
  instanceId: '0193-7e0a',
  action: 'trigger',
  type: 'compaction.refused',
  severity: 'page',
  occurredAt: '2026-11-30T19:00:00.000Z',
  tenantId: 'tenant-1',
  agentId: 'billing-bot',
  sessionId: 'session-17',
  code: 'AMBIGUOUS_ELEMENT',
  toolNames: ['get_order', 'send_invoice'],
  agentStuck: true,
  headroomTokens: 1_240,
  firstRepair: 'Fits if `get_order` is declared re-readable.',
  occurrences: 3,
  firstSeenAt: '2026-11-30T18:58:00.000Z',
  lastSeenAt: '2026-11-30T19:00:00.000Z',
  dashboardUrl: 'https://holdfast.example/refusals/9?tab=a&b=c',
  runbookUrl: 'https://runbooks.example/refusals',
};

/** Names that a tool or a session may have, each meant to break out of some message. */
export const HOSTILE_NAME =
  'x\r\nBcc: victim@example.com\r\n\r\n<script>alert(1)</script> <!channel> *bold* "q" \\ \u0000\u202e\ud800 <https://evil.example|Open>';
