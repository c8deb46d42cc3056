import { createServer } from 'node:net';
import type { EmailChannel } from '../src/channels/channel-configuration';
import { createEmailSender } from '../src/channels/email';
import type { OutboundSettings } from '../src/outbound/outbound-settings';
import { ALERT_OF_A_REFUSAL, HOSTILE_NAME } from './alert-of-a-refusal';
import { type MailServer, startMailServer, TEST_TLS } from './mail-server';
import { OUTBOUND_TO_LOOPBACK } from './outbound-to-loopback';

const SETTINGS: OutboundSettings = {
  ...OUTBOUND_TO_LOOPBACK,
  trustedCertificates: [TEST_TLS.cert],
  resolveAddresses: () => Promise.resolve(['127.0.0.1']),
};

const CHANNEL: EmailChannel = {
  kind: 'email',
  host: 'mail.example',
  port: 0,
  security: 'starttls',
  from: 'holdfast@example.com',
  recipients: ['one@example.com', 'two@example.com'],
};

let server: MailServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function mailed(
  options: Parameters<typeof startMailServer>[0],
  channel: Partial<EmailChannel> = {},
  settings: Partial<OutboundSettings> = {},
  notification = ALERT_OF_A_REFUSAL,
) {
  server = await startMailServer(options);
  const send = createEmailSender({ ...SETTINGS, ...settings });
  const result = await send(notification, { ...CHANNEL, port: server.port, ...channel });
  return { result, mails: server.mails };
}

/** Header lines with their folded continuations joined. */
function headersOf(raw: string): string[] {
  const [head = ''] = raw.split('\r\n\r\n');
  return head.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n');
}

it('goes over STARTTLS, logged in, to every recipient, as plain text and HTML', async () => {
  const { result, mails } = await mailed({}, { user_name: 'holdfast', password: 'pa55word' });
  expect(result).toMatchObject({ outcome: 'delivered', errorCode: null, detail: 'The mail server took it.' });
  expect(mails).toMatchObject([
    { from: 'holdfast@example.com', to: ['one@example.com', 'two@example.com'], secure: true, user: 'holdfast' },
  ]);
  const headers = headersOf(mails[0]!.raw);
  expect(headers).toContain('Subject: [Holdfast] Compaction refused: AMBIGUOUS_ELEMENT (billing-bot)');
  expect(headers).toContain('Message-ID: <msg_01jd8x3k2v@example.com>');
  expect(headers).toContain('Auto-Submitted: auto-generated');
  expect(headers.some((line) => /^list-/i.test(line))).toBe(false);
  expect(mails[0]!.raw).toContain('Content-Type: text/plain');
  expect(mails[0]!.raw).toContain('Content-Type: text/html');
  expect(mails[0]!.raw).toContain('Headroom: 1240 tokens');
});

it('goes over TLS from the first byte', async () => {
  const { result, mails } = await mailed({ secure: true }, { security: 'tls' });
  expect(result.outcome).toBe('delivered');
  expect(mails[0]?.secure).toBe(true);
});

it('goes in plain text only where the operator allows it', async () => {
  const options = { disabledCommands: ['STARTTLS'] };
  const refused = await mailed(options, { security: 'none' });
  expect(refused.result).toMatchObject({ outcome: 'permanent', errorCode: 'SCHEME_NOT_ALLOWED' });
  await server?.close();
  const allowed = await mailed(options, { security: 'none' }, { allowPlainSmtp: true });
  expect(allowed.result.outcome).toBe('delivered');
});

it('does not go to a server that offers no STARTTLS', async () => {
  const { result, mails } = await mailed({ disabledCommands: ['STARTTLS'] });
  expect(result).toMatchObject({ outcome: 'retry', errorClass: 'tls', errorCode: 'STARTTLS_MISSING' });
  expect(mails).toEqual([]);
});

it('does not go to a server whose certificate nobody vouches for', async () => {
  const { result, mails } = await mailed({}, {}, { trustedCertificates: [] });
  expect(result).toMatchObject({ outcome: 'retry', errorClass: 'tls', errorCode: 'TLS_FAILED' });
  expect(mails).toEqual([]);
});

it('does not go to an address that may not be reached, by name or written out', async () => {
  const closed = { allowedCidrs: [] };
  expect((await mailed({}, {}, closed)).result).toMatchObject({ errorCode: 'ADDRESS_NOT_ALLOWED' });
  await server?.close();
  const { result } = await mailed({}, { host: '127.0.0.1' }, closed);
  expect(result).toMatchObject({ errorCode: 'ADDRESS_NOT_ALLOWED' });
});

it('does not go to a port that is not one for mail', async () => {
  const { result } = await mailed({}, {}, { allowedMailPorts: [587] });
  expect(result).toMatchObject({ outcome: 'permanent', errorCode: 'PORT_NOT_ALLOWED' });
});

it('A wrong password is said, and not repeated', async () => {
  const { result } = await mailed({}, { user_name: 'holdfast', password: 'wr0ng-pa55' });
  expect(result).toMatchObject({
    outcome: 'retry',
    errorClass: 'mail',
    errorCode: 'MAIL_AUTH_FAILED',
    statusCode: 535,
  });
  expect(JSON.stringify(result)).not.toContain('wr0ng');
});

const rejecting = (code: number, at: string) => ({
  onRcptTo: ({ address }: { address: string }, _: unknown, done: (error?: Error) => void) =>
    done(address.startsWith(at) ? Object.assign(new Error('no such user'), { responseCode: code }) : undefined),
});

it.each([
  [550, 'permanent', 'MAIL_REJECTED'],
  [450, 'retry', 'MAIL_DEFERRED'],
])('%d for every recipient: %s', async (code, outcome, errorCode) => {
  const { result } = await mailed(rejecting(code, ''));
  expect(result).toMatchObject({ outcome, errorCode, statusCode: code });
});

it('A recipient that the server refuses does not keep the mail from the others', async () => {
  const { result, mails } = await mailed(rejecting(550, 'two'));
  expect(result.outcome).toBe('delivered');
  expect(result.detail).toContain('1 of 2');
  expect(mails[0]?.to).toEqual(['one@example.com']);
});

it('A name that carries headers stays a name', async () => {
  const hostile = { ...ALERT_OF_A_REFUSAL, agentId: HOSTILE_NAME, code: HOSTILE_NAME, instanceId: HOSTILE_NAME };
  const { result, mails } = await mailed({}, {}, {}, hostile);
  expect(result.outcome).toBe('delivered');
  expect(mails[0]?.to).toEqual(['one@example.com', 'two@example.com']);
  expect(headersOf(mails[0]!.raw).some((line) => /^bcc:/i.test(line))).toBe(false);
  const html = mails[0]!.raw.slice(mails[0]!.raw.indexOf('Content-Type: text/html'));
  expect(html).not.toContain('<script');
  expect(html).toContain('&lt;script&gt;');
});

it('A server that says nothing is given up at the deadline', async () => {
  const silent = createServer((socket) => socket.on('error', () => undefined));
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const address = silent.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  const result = await createEmailSender({ ...SETTINGS, deadlineMs: 100 })(ALERT_OF_A_REFUSAL, { ...CHANNEL, port });
  expect(result).toMatchObject({ outcome: 'retry', errorCode: 'DEADLINE_EXCEEDED' });
  await new Promise((resolve) => silent.close(resolve));
});

it('A server that is not there', async () => {
  server = await startMailServer();
  const { port } = server;
  await server.close();
  server = undefined;
  const result = await createEmailSender(SETTINGS)(ALERT_OF_A_REFUSAL, { ...CHANNEL, port });
  expect(result).toMatchObject({ outcome: 'retry', errorCode: 'CONNECTION_REFUSED' });
});
