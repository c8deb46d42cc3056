import type { AlertNotification } from '../alert-notification';
import type { AttemptResult } from '../outbound/attempt-result';
import type { ChannelConfiguration } from './channel-configuration';

/** Makes one attempt. Repeating it is the caller's business; see the delivery schedule. */
export type SendAlert<Channel extends ChannelConfiguration = ChannelConfiguration> = (
  notification: AlertNotification,
  channel: Channel,
  signal?: AbortSignal,
) => Promise<AttemptResult>;
