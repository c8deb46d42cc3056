import type { QueueName } from './job-catalogue';
import type { QueueNotice } from './queue-notice';
import type { QueueSettings } from './queue-settings';

interface AnyQueueConfig {
  /** Told of everything that happens in the background; must not throw. */
  readonly observe?: (notice: QueueNotice) => void;
  /** Replaces the settings of the catalogue: concurrency from the environment, short times in tests. */
  readonly settings?: Readonly<Partial<Record<QueueName, Partial<QueueSettings>>>>;
}

/** Redis or Valkey. */
export interface RedisQueueConfig extends AnyQueueConfig {
  readonly kind: 'redis';
  /** `redis://` or `rediss://`, with user and password where needed; of any node, in a cluster. */
  readonly url: string;
  /** The server is a cluster: every queue gets a hash tag of its own. */
  readonly cluster?: boolean;
  /** Namespace of the keys; two deployments on one server need two. Default `holdfast`. */
  readonly prefix?: string;
  /** Starts although the server may evict keys. Jobs then vanish silently until the reconciler finds out. */
  readonly allowUnsafeRedis?: boolean;
}

/** BullMQ's own tables in PostgreSQL 13 or newer. */
export interface PostgresQueueConfig extends AnyQueueConfig {
  readonly kind: 'postgres';
  /** Of a role that may use the schema; it needs session-level LISTEN, so no transaction pooler in between. */
  readonly connectionString: string;
  /** Default `bullmq`. */
  readonly schema?: string;
  /** Creates or upgrades the schema at `prepare()`; needs a role that may. Default false. */
  readonly migrate?: boolean;
}

export type QueueConfig = RedisQueueConfig | PostgresQueueConfig;
export type QueueBackendKind = QueueConfig['kind'];
