import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { DEFAULT_OUTBOUND_SETTINGS, type OutboundSettings } from '@holdfast/alerting';
import { SMTPServer } from 'smtp-server';

/** Settings of an operator whose receivers run on the same machine; no other inner address is allowed, such as that of `inner.example`. */
export const OUTBOUND_TO_LOOPBACK: OutboundSettings = {
  ...DEFAULT_OUTBOUND_SETTINGS,
  allowedCidrs: ['127.0.0.1/32'],
  allowPlainHttp: true,
  allowPlainSmtp: true,
  allowedPorts: 'any',
  allowedMailPorts: 'any',
  deadlineMs: 5_000,
  resolveAddresses: (host) =>
    host === 'inner.example' ? Promise.resolve(['10.0.0.9']) : DEFAULT_OUTBOUND_SETTINGS.resolveAddresses(host),
};

export interface ReceivedMessage {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface HttpReceiver {
  readonly url: string;
  readonly received: ReceivedMessage[];
  /** What it answers from now on. */
  answerWith(status: number, body?: string): void;
  close(): Promise<void>;
}

/** A real HTTP server on a free port of loopback. */
export async function startHttpReceiver(): Promise<HttpReceiver> {
  const received: ReceivedMessage[] = [];
  const sockets = new Set<Socket>();
  let answer = { status: 200, body: 'ok' };
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      received.push({ path: incoming.url ?? '', headers: incoming.headers, body });
      response.writeHead(answer.status).end(answer.body);
    });
  });
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    answerWith: (status, body = '') => void (answer = { status, body }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

export interface MailReceiver {
  readonly port: number;
  readonly mails: string[];
  close(): Promise<void>;
}

/** A real SMTP server on a free port of loopback, without TLS; `oncall` may log in. */
export async function startMailReceiver(password: string): Promise<MailReceiver> {
  const mails: string[] = [];
  const server = new SMTPServer({
    disableReverseLookup: true,
    hideSTARTTLS: true,
    allowInsecureAuth: true,
    logger: false,
    onAuth: (auth, _session, done) =>
      auth.username === 'oncall' && auth.password === password ? done(null, { user: 'oncall' }) : done(new Error('no')),
    onData: (stream, _session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        mails.push(Buffer.concat(chunks).toString('utf8'));
        done();
      });
    },
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const { port } = server.server.address() as AddressInfo;
  return { port, mails, close: () => new Promise((resolve) => server.close(() => resolve())) };
}
