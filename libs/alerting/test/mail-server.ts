import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

const read = (name: string) => readFileSync(join(__dirname, 'certificates', name), 'utf8');

/** For the names `receiver.example` and `mail.example`. */
export const TEST_TLS = { key: read('key.pem'), cert: read('certificate.pem') };

export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly secure: boolean;
  readonly user: string | undefined;
  readonly raw: string;
}

export interface MailServer {
  readonly port: number;
  readonly mails: ReceivedMail[];
  close(): Promise<void>;
}

/** A real SMTP server on a free port of loopback. */
export async function startMailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  const server = new SMTPServer({
    ...TEST_TLS,
    authOptional: true,
    disableReverseLookup: true,
    logger: false,
    onAuth: (auth, _session, done) =>
      auth.password === 'pa55word' ? done(null, { user: auth.username }) : done(new Error('no')),
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        mails.push({
          from: mailFrom === false ? '' : (mailFrom?.address ?? ''),
          to: rcptTo.map(({ address }) => address),
          secure: session.secure === true,
          user: session.user === undefined ? undefined : String(session.user),
          raw: Buffer.concat(chunks).toString('utf8'),
        });
        done();
      });
    },
    ...options,
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const { port } = server.server.address() as AddressInfo;
  return { port, mails, close: () => new Promise((resolve) => server.close(() => resolve())) };
}
