import type { ChannelResponse, ChannelWithSecretResponse } from '@holdfast/contracts';
import type { StoredChannel } from '../ports/repositories';

/** A channel on the wire; none of its secrets is in what is stored to be shown. */
export function channelView(channel: StoredChannel): ChannelResponse {
  const { receiver, kind: _, ...configuration } = channel.settings;
  return {
    id: channel.id,
    name: channel.name,
    kind: channel.kind,
    receiver: typeof receiver === 'string' ? receiver : '',
    configuration,
    status: channel.status,
    disabled_reason: channel.disabledReason ?? null,
    failing_since: channel.failingSince ?? null,
    last_success_at: channel.lastSuccessAt ?? null,
    paused_until: channel.pausedUntil ?? null,
    created_at: channel.createdAt,
  };
}

/** With the signing secret, for the one answer that shows it. */
export function channelWithSecret(channel: StoredChannel, signingSecret: string | null): ChannelWithSecretResponse {
  return { ...channelView(channel), signing_secret: signingSecret };
}
