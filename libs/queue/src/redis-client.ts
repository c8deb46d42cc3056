import { Cluster, Redis, type RedisOptions } from 'ioredis';
import type { RedisQueueConfig } from './queue-config';
import { QueueError } from './queue-error';

export type RedisClient = Redis | Cluster;

/** `fail_fast` answers at once that Redis is away; `patient` waits until it is back. */
export type RedisTemper = 'fail_fast' | 'patient';

export const CONNECT_TIMEOUT_MS = 3_000;
/** A command of a few hundred bytes answers within milliseconds; after this long something is wrong. */
const COMMAND_TIMEOUT_MS = 2_000;
/** A connection that answers nothing for this long, with a command under way, is half open. Above every blocking read (5 s). */
const SILENCE_TIMEOUT_MS = 30_000;
/** First probe of an idle connection. */
const KEEP_ALIVE_MS = 10_000;
/** So that the relay sends again within seconds of Redis being back. */
const MAX_SENDER_BACKOFF_MS = 5_000;
/** Workers are many and hold several connections each: they come back slower. */
const MIN_WORKER_BACKOFF_MS = 1_000;
const MAX_WORKER_BACKOFF_MS = 20_000;

// Replies in ioredis's plain shapes, which BullMQ reads.
type Options = Omit<RedisOptions, 'replyMapping'>;

const TEMPERS: Record<RedisTemper, Options> = {
  fail_fast: {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    commandTimeout: COMMAND_TIMEOUT_MS,
    retryStrategy: (tries) => Math.min(2 ** tries * 100, MAX_SENDER_BACKOFF_MS),
  },
  patient: {
    maxRetriesPerRequest: null,
    socketTimeout: SILENCE_TIMEOUT_MS,
    retryStrategy: (tries) => Math.max(MIN_WORKER_BACKOFF_MS, Math.min(Math.exp(tries), MAX_WORKER_BACKOFF_MS)),
  },
};

/** Opens a connection that comes back by itself; every error goes to `onError`. */
export function connectRedis(
  config: RedisQueueConfig,
  temper: RedisTemper,
  onError: (error: unknown) => void,
): RedisClient {
  const options: Options = {
    ...TEMPERS[temper],
    connectTimeout: CONNECT_TIMEOUT_MS,
    keepAlive: KEEP_ALIVE_MS,
    // A replica that was the primary answers READONLY: connect again and send once more.
    reconnectOnError: (error) => (error.message.startsWith('READONLY') ? 2 : false),
  };
  const client = config.cluster === true ? connectCluster(config.url, options) : new Redis(config.url, options);
  client.on('error', onError);
  return client;
}

function connectCluster(address: string, options: Options): Cluster {
  const url = new URL(address);
  const { retryStrategy, enableOfflineQueue, ...redisOptions } = options;
  return new Cluster([{ host: url.hostname, port: url.port === '' ? 6379 : Number(url.port) }], {
    enableOfflineQueue: enableOfflineQueue ?? true,
    ...(retryStrategy ? { clusterRetryStrategy: (tries: number) => retryStrategy(tries) ?? null } : {}),
    redisOptions: {
      ...redisOptions,
      ...(url.username === '' ? {} : { username: decodeURIComponent(url.username) }),
      ...(url.password === '' ? {} : { password: decodeURIComponent(url.password) }),
      ...(url.protocol === 'rediss:' ? { tls: {} } : {}),
    },
  });
}

/** Resolves when commands can be sent. Waits for a first connection only: one that was lost fails at once. */
export async function untilReady(client: RedisClient): Promise<void> {
  if (client.status === 'ready') return;
  if (client.status !== 'connecting' && client.status !== 'connect') {
    throw new QueueError('QUEUE_UNAVAILABLE', `Redis is away (${client.status})`);
  }
  let timer: NodeJS.Timeout | undefined;
  let onReady: (() => void) | undefined;
  let onClose: (() => void) | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      const away = (why: string) => (): void => reject(new QueueError('QUEUE_UNAVAILABLE', `Redis is away (${why})`));
      onReady = resolve;
      onClose = away('connection refused or closed');
      timer = setTimeout(away('no answer in time'), CONNECT_TIMEOUT_MS);
      client.once('ready', onReady);
      client.once('close', onClose);
    });
  } finally {
    clearTimeout(timer);
    if (onReady) client.off('ready', onReady);
    if (onClose) client.off('close', onClose);
  }
}
