import { outboundSettings } from '@holdfast/alerting';
import { loadApiConfig } from '@holdfast/config';
import { isHoldfastError } from '@holdfast/core';
import { createLogger, createMetrics, metricsPage, startOperationServer, startTracing } from '@holdfast/observability';
import { createDatabase, createOperatorKeys } from '@holdfast/persistence';
import { createQueueBackend } from '@holdfast/queue';
import { createTokenCounterPool } from '@holdfast/tokens';
import { bootstrapAtStart } from './auth/bootstrap-at-start';
import { startApi } from './create-api';
import { createRepositories } from './ports/persistent-repositories';
import { VERSION } from './version';

/** What closing the database, the queue and the threads may take beyond the requests. */
const CLOSING_MS = 2_000;

/** The process: the API on its port, metrics on theirs, until SIGTERM or SIGINT. */
async function main(): Promise<void> {
  const config = loadApiConfig();
  const log = createLogger({ service: 'api', level: config.logLevel, version: VERSION });
  const metrics = createMetrics({ service: 'api', version: VERSION, commit: 'unknown' });
  const keys = config.encryptionKeys.length === 0 ? undefined : createOperatorKeys(config.encryptionKeys);
  if (keys === undefined) log.warn({}, 'ENCRYPTION_KEYS is not set: content is stored as it is');
  const tracing = await startTracing({ service: 'api', version: VERSION, endpoint: config.tracesEndpoint });
  const database = createDatabase({
    keys,
    connectionString: config.database.connectionString,
    maxConnections: config.database.maxConnections,
    applicationName: 'holdfast-api',
    onConnectionError: (error) => log.warn({ err: error }, 'A connection to the database broke'),
  });
  const queue = createQueueBackend({
    ...config.queue,
    observe: (notice) => {
      if (notice.type === 'connection_error') log.warn({ err: notice.error }, 'The connection to the queue broke');
    },
  });
  const counters = createTokenCounterPool({ threads: config.tokenizerThreads });
  const repositories = createRepositories(database, config.database.connectionString, keys);
  const { host, port, metricsPort } = config.listen;
  const metricsServer = await startOperationServer({ '/metrics': metricsPage(metrics) }, host, metricsPort);
  const api = await startApi(
    {
      settings: {
        maxBodyBytes: config.limits.bodyBytes,
        maxElements: config.limits.maxElements,
        maxDepth: config.limits.maxDepth,
        rateLimit: config.rateLimit,
        tenantShare: config.tenantShare,
        keyPepper: config.keyPepper,
        tokenizerThreads: config.tokenizerThreads,
        version: VERSION,
        dashboardUrl: config.alerting.dashboardUrl,
        metricsApart: true,
      },
      repositories,
      queue,
      counters,
      outbound: outboundSettings(config.alerting),
      metrics,
      tracing,
      log,
    },
    host,
    port,
  );
  log.info({ url: api.url, docs: `${api.url}/docs`, metrics_port: metricsServer.port }, 'The API is listening');

  const closing = new AbortController();
  const { bootstrapKey: preset, keyPepper } = config;
  if (preset !== undefined) {
    bootstrapAtStart(repositories, preset, keyPepper, log, closing.signal).catch((error: unknown) =>
      log.error({ err: error }, 'HOLDFAST_BOOTSTRAP_KEY is no API key'),
    );
  }

  let ending = false;
  const end = (signal: NodeJS.Signals): void => {
    // A second signal ends at once.
    if (ending) process.exit(1);
    ending = true;
    closing.abort();
    log.info({ signal }, 'The API is closing');
    close().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'The API did not close cleanly');
        process.exit(1);
      },
    );
  };
  const close = async (): Promise<void> => {
    const lastResort = setTimeout(() => process.exit(1), config.shutdownDeadlineMs);
    lastResort.unref();
    await api.close(Math.max(0, config.shutdownDeadlineMs - CLOSING_MS));
    await Promise.allSettled([tracing.close(), metricsServer.close(), counters.close(), queue.close()]);
    await database.close();
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
}

main().catch((error: unknown) => {
  const sentence = isHoldfastError(error) ? `${error.message}\n${error.remedy}` : sentenceOf(error);
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
});

function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return `Another process listens there already (${error.message}). Stop it, or set PORT and METRICS_PORT to other ports.`;
    case 'EACCES':
      return `This port may not be used (${error.message}). Set PORT and METRICS_PORT to ports above 1023.`;
    default:
      return error.stack ?? error.message;
  }
}
