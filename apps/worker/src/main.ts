import { loadFailpoint, loadWorkerConfig } from '@holdfast/config';
import { isHoldfastError } from '@holdfast/core';
import { createLogger, createMetrics, startTracing } from '@holdfast/observability';
import { type RunningWorker, startWorker } from './start-worker';
import { VERSION } from './version';

/** The process: takes jobs until SIGTERM or SIGINT. */
async function main(): Promise<void> {
  const config = loadWorkerConfig();
  const log = createLogger({ service: 'worker', level: config.logLevel, version: VERSION });
  const metrics = createMetrics({ service: 'worker', version: VERSION, commit: 'unknown' });
  const tracing = await startTracing({ service: 'worker', version: VERSION, endpoint: config.tracesEndpoint });
  let ending = false;
  const started: { worker?: RunningWorker } = {};
  const end = (why: string, exitCode: number): void => {
    const { worker } = started;
    // A second signal ends at once, and so does one before there is anything to close.
    if (ending || worker === undefined) process.exit(exitCode === 0 && !ending ? 0 : 1);
    ending = true;
    log.info({ why }, 'The worker is closing');
    const lastResort = setTimeout(() => process.exit(1), config.shutdownDeadlineMs);
    lastResort.unref();
    const closing = worker.close().finally(() => tracing.close());
    closing.then(
      () => process.exit(exitCode),
      (error: unknown) => {
        log.error({ err: error }, 'The worker did not close cleanly');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', () => end('SIGTERM', 0));
  process.on('SIGINT', () => end('SIGINT', 0));
  started.worker = await startWorker({
    ...{ config, log, metrics, tracing },
    failpoint: loadFailpoint(),
    onStopped: () => end('a queue stopped', 1),
  });
}

main().catch((error: unknown) => {
  process.stderr.write(`${sentenceOf(error)}\n`);
  process.exit(1);
});

function sentenceOf(error: unknown): string {
  if (isHoldfastError(error)) return `${error.message}\n${error.remedy}`;
  if (!(error instanceof Error)) return String(error);
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return `Another process listens there already (${error.message}). Stop it, or set PORT and METRICS_PORT to other ports.`;
    case 'EACCES':
      return `This port may not be used (${error.message}). Set PORT and METRICS_PORT to ports above 1023.`;
    default:
      return 'remedy' in error ? `${error.message}\n${String(error.remedy)}` : (error.stack ?? error.message);
  }
}
