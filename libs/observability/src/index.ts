export { createLogger, type Logger, type LoggerOptions, type LogIds, withIds } from './logger';
export {
  ALERT_CHANNELS,
  type AlertChannelKind,
  type DeliveryOutcome,
  type DispatchReason,
  type EffectAnswer,
  type EffectEnd,
  NO_ROUTE,
  type PassPhase,
  type StatusClass,
  SUMMARIZER_PROVIDERS,
  type SummarizerOutcome,
  type SummarizerProvider,
  type TokenSide,
  type ToolOutcomeName,
  VERIFICATION_CHECKS,
  type VerificationCheck,
} from './metrics/metric-terms';
export { type BuildIdentity, createMetrics, type Metrics } from './metrics/metrics';
export type { ObservedRequest, OperatorMetrics } from './metrics/operator-metrics';
export type { PassMetrics } from './metrics/pass-metrics';
export type { QueueJobs, QueueMetrics, RedisSafety } from './metrics/queue-metrics';
export type { StoreMetrics, StoreState, Waiting } from './metrics/store-metrics';
export {
  listen,
  type ListeningServer,
  metricsPage,
  type OperationAnswer,
  type OperationPages,
  startOperationServer,
} from './operation-server';
export { CHAT, GEN_AI } from './tracing/genai-attributes';
export { SPAN, type SpanAttributes } from './tracing/span-attributes';
export { readTraceparent, type TraceContext, writeTraceparent } from './tracing/trace-context';
export { startTracing, type TracingSettings } from './tracing/start-tracing';
export { NO_TRACING, type SpanStart, type TraceSpan, type Tracing } from './tracing/tracing';
