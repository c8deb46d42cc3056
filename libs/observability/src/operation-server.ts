import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Metrics } from './metrics/metrics';

export interface ListeningServer {
  readonly port: number;
  close(): Promise<void>;
}

export interface OperationAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/** What each path answers to GET; anything else is a 404, an answer that fails is a 500 without words. */
export type OperationPages = Readonly<Record<string, () => Promise<OperationAnswer>>>;

/** Serves pages for whoever operates a process, on a port of their own that callers need not reach. */
export async function startOperationServer(
  pages: OperationPages,
  host: string,
  port: number,
): Promise<ListeningServer> {
  const paths = new Map(Object.entries(pages));
  const server = createServer((request, response) => {
    const page = request.method === 'GET' ? paths.get(request.url?.split('?', 1)[0] ?? '') : undefined;
    if (page === undefined) {
      response.writeHead(404).end();
      return;
    }
    page().then(
      ({ status, contentType, body }) => response.writeHead(status, { 'Content-Type': contentType }).end(body),
      () => response.writeHead(500).end(),
    );
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

/** The page for Prometheus. */
export function metricsPage(metrics: Pick<Metrics, 'renderMetrics' | 'contentType'>): () => Promise<OperationAnswer> {
  return async () => ({ status: 200, contentType: metrics.contentType, body: await metrics.renderMetrics() });
}

/** Resolves when the server listens; rejects with what the system says (EADDRINUSE, EACCES). */
export function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
