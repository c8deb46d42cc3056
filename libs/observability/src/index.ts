export { createLogger, type Logger, type LoggerOptions, type LogIds, withIds } from './logger';
export {
  type BuildIdentity,
  createMetrics,
  DISPATCH_REASONS,
  type DispatchReason,
  type Metrics,
  PASS_PHASES,
  type PassPhase,
  type QueueJobs,
  TOKEN_SIDES,
  type TokenSide,
} from './metrics';
export {
  listen,
  type ListeningServer,
  metricsPage,
  type OperationAnswer,
  type OperationPages,
  startOperationServer,
} from './operation-server';
