import { type ListeningServer, type Metrics, metricsPage, startOperationServer } from '@holdfast/observability';
import type { QueueLook } from '@holdfast/queue/nest';

export interface Readiness {
  readonly ready: boolean;
  /** Why not, in codes. */
  readonly reasons: readonly string[];
  /** What stands in the queues; says nothing about readiness. */
  readonly queues: readonly QueueLook[];
}

/** Serves `/healthz`, `/readyz` and `/metrics`. */
export function startHealthServer(
  readiness: () => Promise<Readiness>,
  metrics: Metrics,
  host: string,
  port: number,
): Promise<ListeningServer> {
  return startOperationServer(
    {
      '/healthz': async () => json(200, { status: 'up' }),
      '/readyz': () =>
        readiness().then(
          ({ ready, reasons, queues }) =>
            json(ready ? 200 : 503, {
              status: ready ? 'ready' : 'not_ready',
              reasons,
              queues: queues.map(queueView),
            }),
          () => json(503, { status: 'not_ready', reasons: ['UNKNOWN'] }),
        ),
      '/metrics': metricsPage(metrics),
    },
    host,
    port,
  );
}

function json(status: number, body: unknown) {
  return { status, contentType: 'application/json', body: `${JSON.stringify(body)}\n` };
}

function queueView(look: QueueLook) {
  if (look.status === 'away') return { queue: look.queue, status: look.status, code: look.code };
  const { oldestWaitingMs, ...jobs } = look.depth;
  return { queue: look.queue, status: look.status, jobs, oldest_waiting_ms: oldestWaitingMs ?? null };
}
