import pg from 'pg';

export interface PoolOptions {
  readonly connectionString: string;
  /** Most connections at once. */
  readonly maxConnections: number;
  /** Name that the server shows for them. */
  readonly applicationName: string;
  readonly connectTimeoutMs: number;
  /** How long one statement may stay without any answer, network included. */
  readonly answerTimeoutMs: number;
  /** Told of idle connections that broke; the pool replaces them by itself. */
  readonly onError: (error: Error) => void;
}

/**
 * A client that gives its connection up when an answer does not come in time. Left in the pool, a half-open
 * connection would make each later transaction wait as long.
 */
class DeadlineClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config);
    const query = this.query.bind(this) as (...request: unknown[]) => unknown;
    const surrender = (error: unknown): void => {
      if (error instanceof Error && error.message === 'Query read timeout') this.connection.stream.destroy();
    };
    Object.defineProperty(this, 'query', {
      value: (...request: unknown[]): unknown => {
        const answer = query(...request);
        if (answer instanceof Promise) answer.catch(surrender);
        return answer;
      },
    });
  }
}

/** The connections of one process. Nothing is kept in a session, so a transaction pooler may stand in between. */
export function createPool(options: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: options.connectionString,
    max: options.maxConnections,
    application_name: options.applicationName,
    connectionTimeoutMillis: options.connectTimeoutMs,
    query_timeout: options.answerTimeoutMs,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    Client: DeadlineClient,
  });
  pool.on('error', options.onError);
  return pool;
}
