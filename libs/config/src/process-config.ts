import { type NamedKey } from './variable';
import { type Environment, readEnvironment } from './environment';
import { readKeysFile } from './keys-file';
import { API_VARIABLES, MIGRATE_VARIABLES, WORKER_VARIABLES } from './variables';

/** Where jobs wait; fits what the queue library takes. */
export type QueueConnection =
  | {
      readonly kind: 'redis';
      readonly url: string;
      readonly cluster: boolean;
      readonly prefix: string;
      readonly allowUnsafeRedis: boolean;
    }
  | { readonly kind: 'postgres'; readonly connectionString: string };

export type DeploymentMode = 'development' | 'test' | 'production';
export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';

/** What alert channels may reach, and where their messages link to. */
export interface AlertingConfig {
  readonly dashboardUrl: string | undefined;
  /** Besides what every channel may reach. */
  readonly allowedCidrs: readonly string[];
  readonly allowedPorts: readonly number[] | 'any';
  readonly allowPlainHttp: boolean;
  readonly allowPlainSmtp: boolean;
}

interface ServiceConfig {
  readonly mode: DeploymentMode;
  readonly logLevel: LogLevel;
  readonly database: { readonly connectionString: string; readonly maxConnections: number };
  readonly queue: QueueConnection;
  readonly listen: { readonly host: string; readonly port: number; readonly metricsPort: number };
  /** The operator's keys, the newest first; none where content is stored as it is. */
  readonly encryptionKeys: readonly NamedKey[];
  readonly alerting: AlertingConfig;
  /** Most passes of one tenant with the queue at once. */
  readonly tenantShare: number;
  readonly tokenizerThreads: number;
  /** Collector of traces; undefined switches them off. */
  readonly tracesEndpoint: string | undefined;
  readonly shutdownDeadlineMs: number;
}

export interface ApiConfig extends ServiceConfig {
  readonly limits: { readonly bodyBytes: number; readonly maxElements: number; readonly maxDepth: number };
  /** Of one API key; undefined for no limit. */
  readonly rateLimit: { readonly perSecond: number; readonly burst: number } | undefined;
  readonly keyPepper: string;
  /** Key to be made at the start. */
  readonly bootstrapKey: string | undefined;
}

export interface WorkerConfig extends ServiceConfig {
  readonly concurrency: number;
  readonly leaseMs: number;
  readonly maxAttempts: number;
  readonly relay: { readonly busyIntervalMs: number; readonly idleIntervalMs: number; readonly batchSize: number };
  readonly reconcileIntervalMs: number;
  /** What agents may name for summaries by a language model. */
  readonly summarizers: { readonly origins: readonly string[]; readonly keys: Readonly<Record<string, string>> };
}

export interface MigrateConfig {
  readonly mode: DeploymentMode;
  readonly logLevel: LogLevel;
  readonly ownerDatabaseUrl: string;
  /** Absent where an administrator made the login. */
  readonly runtimeLogin: { readonly name: string; readonly password: string } | undefined;
  /** As the owner; its schema needs migrations of its own where it is PostgreSQL. */
  readonly queue: QueueConnection;
}

/** Throws EnvironmentError with every variable that cannot be used. */
export function loadApiConfig(environment: Environment = process.env): ApiConfig {
  const values = readEnvironment('the API', API_VARIABLES, environment);
  return {
    ...serviceConfig('the API', values),
    limits: { bodyBytes: values.BODY_LIMIT_BYTES, maxElements: values.MAX_ELEMENTS, maxDepth: values.MAX_DEPTH },
    rateLimit:
      values.RATE_LIMIT_PER_SECOND === 0
        ? undefined
        : { perSecond: values.RATE_LIMIT_PER_SECOND, burst: values.RATE_LIMIT_BURST },
    keyPepper: values.KEY_PEPPER,
    bootstrapKey: values.HOLDFAST_BOOTSTRAP_KEY,
  };
}

/** Throws EnvironmentError with every variable that cannot be used. */
export function loadWorkerConfig(environment: Environment = process.env): WorkerConfig {
  const values = readEnvironment('the worker', WORKER_VARIABLES, environment);
  return {
    ...serviceConfig('the worker', values),
    concurrency: values.CONCURRENCY,
    leaseMs: values.LEASE_MS,
    maxAttempts: values.MAX_ATTEMPTS,
    relay: {
      busyIntervalMs: values.RELAY_BUSY_INTERVAL_MS,
      idleIntervalMs: values.RELAY_IDLE_INTERVAL_MS,
      batchSize: values.RELAY_BATCH,
    },
    reconcileIntervalMs: values.RECONCILE_INTERVAL_MS,
    summarizers: { origins: values.SUMMARIZER_ORIGINS, keys: values.SUMMARIZER_KEYS },
  };
}

/** Throws EnvironmentError with every variable that cannot be used. */
export function loadMigrateConfig(environment: Environment = process.env): MigrateConfig {
  const values = readEnvironment('the migrations', MIGRATE_VARIABLES, environment);
  const password = values.RUNTIME_DATABASE_PASSWORD;
  return {
    mode: values.NODE_ENV,
    logLevel: values.LOG_LEVEL,
    ownerDatabaseUrl: values.DATABASE_URL,
    runtimeLogin: password === undefined ? undefined : { name: values.RUNTIME_DATABASE_LOGIN, password },
    queue: queueConnection(values),
  };
}

interface QueueValues {
  readonly DATABASE_URL: string;
  readonly QUEUE_BACKEND: 'auto' | 'redis' | 'postgres';
  readonly REDIS_URL: string | undefined;
  readonly REDIS_CLUSTER: boolean;
  readonly QUEUE_PREFIX: string;
  readonly ALLOW_UNSAFE_REDIS: boolean;
  readonly QUEUE_DATABASE_URL: string | undefined;
}

interface ServiceValues extends QueueValues {
  readonly NODE_ENV: DeploymentMode;
  readonly LOG_LEVEL: LogLevel;
  readonly DATABASE_CONNECTIONS: number;
  readonly HOST: string;
  readonly PORT: number;
  readonly METRICS_PORT: number;
  readonly ENCRYPTION_KEYS: readonly NamedKey[];
  readonly ENCRYPTION_KEYS_FILE: string | undefined;
  readonly DASHBOARD_URL: string | undefined;
  readonly ALERT_ALLOWED_CIDRS: readonly string[];
  readonly ALERT_ALLOWED_PORTS: readonly number[] | 'any';
  readonly ALERT_ALLOW_HTTP: boolean;
  readonly ALERT_ALLOW_PLAIN_SMTP: boolean;
  readonly TENANT_SHARE: number;
  readonly TOKENIZER_THREADS: number;
  readonly OTEL_EXPORTER_OTLP_ENDPOINT: string | undefined;
  readonly SHUTDOWN_DEADLINE_MS: number;
}

function serviceConfig(process: string, values: ServiceValues): ServiceConfig {
  const file = values.ENCRYPTION_KEYS_FILE;
  return {
    mode: values.NODE_ENV,
    logLevel: values.LOG_LEVEL,
    database: { connectionString: values.DATABASE_URL, maxConnections: values.DATABASE_CONNECTIONS },
    queue: queueConnection(values),
    listen: { host: values.HOST, port: values.PORT, metricsPort: values.METRICS_PORT },
    encryptionKeys: file === undefined ? values.ENCRYPTION_KEYS : readKeysFile(process, file),
    alerting: {
      dashboardUrl: values.DASHBOARD_URL,
      allowedCidrs: values.ALERT_ALLOWED_CIDRS,
      allowedPorts: values.ALERT_ALLOWED_PORTS,
      allowPlainHttp: values.ALERT_ALLOW_HTTP,
      allowPlainSmtp: values.ALERT_ALLOW_PLAIN_SMTP,
    },
    tenantShare: values.TENANT_SHARE,
    tokenizerThreads: values.TOKENIZER_THREADS,
    tracesEndpoint: values.OTEL_EXPORTER_OTLP_ENDPOINT,
    shutdownDeadlineMs: values.SHUTDOWN_DEADLINE_MS,
  };
}

function queueConnection(values: QueueValues): QueueConnection {
  if (values.REDIS_URL !== undefined && values.QUEUE_BACKEND !== 'postgres') {
    return {
      kind: 'redis',
      url: values.REDIS_URL,
      cluster: values.REDIS_CLUSTER,
      prefix: values.QUEUE_PREFIX,
      allowUnsafeRedis: values.ALLOW_UNSAFE_REDIS,
    };
  }
  return { kind: 'postgres', connectionString: values.QUEUE_DATABASE_URL ?? values.DATABASE_URL };
}
