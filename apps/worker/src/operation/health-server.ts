import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Metrics } from '@holdfast/observability';

export interface Readiness {
  readonly ready: boolean;
  /** Why not, in codes. */
  readonly reasons: readonly string[];
}

export interface ListeningServer {
  readonly port: number;
  close(): Promise<void>;
}

/** Serves `/healthz`, `/readyz` and `/metrics`. */
export async function startHealthServer(
  readiness: () => Promise<Readiness>,
  metrics: Metrics,
  host: string,
  port: number,
): Promise<ListeningServer> {
  const server = createServer((request, response) => {
    const json = (status: number, body: unknown): void => {
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(`${JSON.stringify(body)}\n`);
    };
    switch (request.method === 'GET' ? request.url?.split('?', 1)[0] : undefined) {
      case '/healthz':
        json(200, { status: 'up' });
        return;
      case '/readyz':
        readiness().then(
          ({ ready, reasons }) => json(ready ? 200 : 503, { status: ready ? 'ready' : 'not_ready', reasons }),
          () => json(503, { status: 'not_ready', reasons: ['UNKNOWN'] }),
        );
        return;
      case '/metrics':
        metrics.renderMetrics().then(
          (text) => response.writeHead(200, { 'Content-Type': metrics.contentType }).end(text),
          () => response.writeHead(500).end(),
        );
        return;
      default:
        response.writeHead(404).end();
    }
  });
  await listen(server, host, port);
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Resolves when the server listens; rejects with what the system says (EADDRINUSE, EACCES). */
function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
