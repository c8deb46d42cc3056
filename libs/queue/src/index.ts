export type { WorkerEnding } from './bounded-worker';
export {
  isJobKind,
  type Job,
  JOB_KINDS,
  type JobDispatch,
  jobIdOf,
  type JobKind,
  type JobPayload,
  jobPayload,
  parseJob,
  PAYLOAD_VERSION,
  QUEUE_NAMES,
  type QueueName,
  queueOf,
} from './job-catalogue';
export type { ConsumerActivity, JobConsumer, JobHandler, JobHandlers, ReceivedJob } from './job-consumer';
export type { JobProducer } from './job-producer';
export { migrateQueueSchema, QUEUE_SCHEMA, type QueueSchemaTarget } from './postgres-schema';
export { createQueueBackend, type QueueBackend, type QueueHealth } from './queue-backend';
export type { PostgresQueueConfig, QueueBackendKind, QueueConfig, RedisQueueConfig } from './queue-config';
export { isQueueError, QUEUE_ERROR_CODES, QueueError, type QueueErrorCode } from './queue-error';
export type { Observe, QueueNotice } from './queue-notice';
export type { QueueDepth } from './queue-depth';
export type { QueueReader } from './queue-reader';
export type { RedisSafety } from './redis-safety';
export { type JobRetention, QUEUE_SETTINGS, type QueueSettings } from './queue-settings';
