import { isIP, type Socket } from 'node:net';
import { rootCertificates } from 'node:tls';
import { createTransport } from 'nodemailer';
import type { AlertNotification } from '../alert-notification';
import { type AddressGuard, createAddressGuard } from '../outbound/address-guard';
import { startAttemptClock } from '../outbound/attempt-clock';
import { type AttemptResult, failedAttempt } from '../outbound/attempt-result';
import { connectGuarded } from '../outbound/guarded-socket';
import { maskedExcerpt } from '../outbound/masked-excerpt';
import type { OutboundSettings } from '../outbound/outbound-settings';
import type { EmailChannel } from './channel-configuration';
import { emailMessage } from './email-message';
import { mailFailure, mailReply } from './mail-failure';
import { plainLine } from './plain-line';
import type { SendAlert } from './send-alert';

function configurationFailure(channel: EmailChannel, settings: OutboundSettings): AttemptResult | null {
  const { allowedMailPorts } = settings;
  if (allowedMailPorts !== 'any' && !allowedMailPorts.includes(channel.port)) {
    const detail = `Port ${channel.port} is not allowed for mail here.`;
    return failedAttempt({ outcome: 'permanent', code: 'PORT_NOT_ALLOWED', detail }, 0);
  }
  if (channel.security === 'none' && !settings.allowPlainSmtp) {
    const detail = 'Mail without TLS is not allowed here.';
    return failedAttempt({ outcome: 'permanent', code: 'SCHEME_NOT_ALLOWED', detail }, 0);
  }
  return null;
}

function transportOver(socket: Socket, channel: EmailChannel, settings: OutboundSettings) {
  const { trustedCertificates, deadlineMs } = settings;
  return createTransport({
    host: channel.host,
    port: channel.port,
    connection: socket,
    secure: channel.security === 'tls',
    requireTLS: channel.security === 'starttls',
    ignoreTLS: channel.security === 'none',
    tls: {
      ...(isIP(channel.host) === 0 ? { servername: channel.host } : {}),
      ...(trustedCertificates.length === 0 ? {} : { ca: [...rootCertificates, ...trustedCertificates] }),
    },
    ...(channel.user_name === undefined || channel.password === undefined
      ? {}
      : { auth: { user: channel.user_name, pass: channel.password } }),
    connectionTimeout: deadlineMs,
    greetingTimeout: deadlineMs,
    socketTimeout: deadlineMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/** The id is the notification's, so that a repeated delivery is the same mail; replies of one alert are one thread. */
function threadHeaders(notification: AlertNotification, from: string) {
  const domain = from.slice(from.lastIndexOf('@') + 1);
  const idOf = (text: string) => `<${plainLine(text, 128).replace(/[^A-Za-z0-9_-]/g, '-')}@${domain}>`;
  const thread = idOf(`alert-${notification.instanceId}`);
  return { messageId: idOf(notification.notificationId), inReplyTo: thread, references: thread };
}

function secretsOf(channel: EmailChannel): string[] {
  const { password, user_name: user } = channel;
  if (password === undefined) return [];
  const encoded = (text: string) => Buffer.from(text, 'utf8').toString('base64');
  return [password, encoded(password), encoded(`\u0000${user ?? ''}\u0000${password}`)];
}

/**
 * Mail by SMTP over a connection to a checked address. With `starttls` nothing is said before the connection is secure, and
 * no name of a recipient or password goes over one that is not.
 */
export function createEmailSender(settings: OutboundSettings): SendAlert<EmailChannel> {
  const guard: AddressGuard = createAddressGuard(settings);
  return async (notification, channel, signal) => {
    const refused = configurationFailure(channel, settings);
    if (refused !== null) return refused;
    const clock = startAttemptClock(settings.deadlineMs, signal);
    const excerpt = (reply: string) => maskedExcerpt(new TextEncoder().encode(reply), secretsOf(channel), true);
    let socket: Socket | undefined;
    try {
      socket = await clock.race(connectGuarded(channel.host, channel.port, guard, clock.signal));
      const sent = await clock.race(
        transportOver(socket, channel, settings).sendMail({
          ...emailMessage(notification),
          ...threadHeaders(notification, channel.from),
          from: { name: 'Holdfast', address: channel.from },
          to: channel.recipients.map((address) => ({ name: '', address })),
          headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
        }),
      );
      const refusedCount = sent.rejected.length;
      return {
        outcome: 'delivered',
        latencyMs: clock.elapsedMs(),
        responseExcerpt: excerpt(sent.response),
        errorClass: null,
        errorCode: null,
        detail:
          refusedCount === 0
            ? 'The mail server took it.'
            : `The mail server took it for all but ${refusedCount} of ${channel.recipients.length} recipients.`,
      };
    } catch (error) {
      const reply = mailReply(error);
      return {
        ...failedAttempt(clock.stopped() ?? mailFailure(error), clock.elapsedMs()),
        ...(reply.code === null ? {} : { statusCode: reply.code }),
        responseExcerpt: excerpt(reply.text),
      };
    } finally {
      clock.end();
      socket?.destroy();
    }
  };
}
