import type { GEN_AI } from './genai-attributes';

/** Every other name that a span may carry. Ids, codes, counts and names of routes and queues: never content. */
export const SPAN = {
  tenant: 'holdfast.tenant.id',
  compaction: 'holdfast.compaction.id',
  passNumber: 'holdfast.pass.seq',
  attempt: 'holdfast.pass.attempt',
  outcome: 'holdfast.pass.outcome',
  phase: 'holdfast.pass.phase',
  code: 'holdfast.code',
  answer: 'holdfast.summarizer.outcome',
  requestId: 'holdfast.request.id',
  method: 'http.request.method',
  route: 'http.route',
  status: 'http.response.status_code',
  messaging: 'messaging.system',
  queue: 'messaging.destination.name',
  messagingOperation: 'messaging.operation.type',
  job: 'messaging.message.id',
} as const;

type GenAiName = (typeof GEN_AI)[keyof typeof GEN_AI];
type SpanName = (typeof SPAN)[keyof typeof SPAN];

/** Attributes of a span, by the names of these two tables. */
export type SpanAttributes = Readonly<Partial<Record<GenAiName | SpanName, string | number | boolean | undefined>>>;
