/**
 * The configuration of a channel is a wire object: it is read from the API, stored, and kept under these names.
 * The fields that are secrets are listed in {@link splitChannel}.
 */
export interface WebhookChannel {
  readonly kind: 'webhook';
  readonly url: string;
  /** `whsec_` and 24 to 64 bytes in base64. */
  readonly signing_secret: string;
  /** Signs as well until `previous_secret_until`, so that a receiver changes over without a gap. */
  readonly previous_signing_secret?: string;
  /** ISO 8601. */
  readonly previous_secret_until?: string;
}

export interface SlackChannel {
  readonly kind: 'slack';
  /** Of an incoming webhook: the URL itself is the secret. */
  readonly url: string;
}

export interface PagerDutyChannel {
  readonly kind: 'pagerduty';
  readonly routing_key: string;
  /** For another service region, or a receiver with the same API. */
  readonly events_url?: string;
}

export interface AlertmanagerChannel {
  readonly kind: 'alertmanager';
  /** Of the Alertmanager, without `/api/v2/alerts`. */
  readonly url: string;
  readonly bearer_token?: string;
  readonly user_name?: string;
  readonly password?: string;
}

export interface EmailChannel {
  readonly kind: 'email';
  readonly host: string;
  readonly port: number;
  /** `starttls` never falls back to plain text; `none` needs the operator's leave. */
  readonly security: 'starttls' | 'tls' | 'none';
  readonly user_name?: string;
  readonly password?: string;
  readonly from: string;
  readonly recipients: readonly string[];
}

export type ChannelConfiguration =
  WebhookChannel | SlackChannel | PagerDutyChannel | AlertmanagerChannel | EmailChannel;
export type ChannelKind = ChannelConfiguration['kind'];
export const CHANNEL_KINDS = [
  'webhook',
  'slack',
  'pagerduty',
  'alertmanager',
  'email',
] as const satisfies ChannelKind[];

const SECRET_FIELDS = {
  webhook: ['url', 'signing_secret', 'previous_signing_secret'],
  slack: ['url'],
  pagerduty: ['routing_key', 'events_url'],
  alertmanager: ['url', 'bearer_token', 'password'],
  email: ['password'],
} as const satisfies Record<ChannelKind, readonly string[]>;

function receiverOf(channel: ChannelConfiguration): string {
  if (channel.kind === 'email') return `${channel.host}:${channel.port}`;
  const url = channel.kind === 'pagerduty' ? (channel.events_url ?? 'https://events.pagerduty.com') : channel.url;
  return URL.canParse(url) ? new URL(url).origin : '';
}

export interface SplitChannel {
  /** May be shown: the kind, what is no secret, and `receiver`, the host without the path. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** To be stored encrypted. */
  readonly secrets: Readonly<Record<string, unknown>>;
}

/** Parts what a screen may show from what is to be encrypted. */
export function splitChannel(channel: ChannelConfiguration): SplitChannel {
  const secret: ReadonlySet<string> = new Set(SECRET_FIELDS[channel.kind]);
  const entries = Object.entries(channel);
  return {
    settings: {
      ...Object.fromEntries(entries.filter(([field]) => !secret.has(field))),
      receiver: receiverOf(channel),
    },
    secrets: Object.fromEntries(entries.filter(([field]) => secret.has(field))),
  };
}

/** Both halves in one object again, to be read by {@link readChannel}. */
export function joinChannel({ settings, secrets }: SplitChannel): Record<string, unknown> {
  const { receiver: _, ...shown } = settings;
  return { ...shown, ...secrets };
}
