export { type AddressGuard, createAddressGuard } from './outbound/address-guard';
export {
  ALERT_ACTIONS,
  ALERT_SEVERITIES,
  ALERT_TYPES,
  type AlertAction,
  type AlertNotification,
  type AlertSeverity,
  type AlertType,
} from './alert-notification';
export {
  ATTEMPT_ERRORS,
  type AttemptErrorClass,
  type AttemptErrorCode,
  type AttemptOutcome,
  type AttemptResult,
} from './outbound/attempt-result';
export { createGuardedHttp, type GuardedHttp, type GuardedRequest } from './outbound/guarded-http';
export { type AddressResolver, DEFAULT_OUTBOUND_SETTINGS, type OutboundSettings } from './outbound/outbound-settings';
export { ALERTMANAGER_RESEND_MS, ALERTMANAGER_RESOLVED_MS } from './channels/alertmanager';
export {
  type AlertmanagerChannel,
  CHANNEL_KINDS,
  type ChannelConfiguration,
  type ChannelKind,
  type EmailChannel,
  joinChannel,
  type PagerDutyChannel,
  type SlackChannel,
  type SplitChannel,
  splitChannel,
  type WebhookChannel,
} from './channels/channel-configuration';
export { createChannelSender } from './channels/channel-sender';
export { type ChannelLimits, type ChannelProblem, readChannel, type ReadChannel } from './channels/read-channel';
export { type SendAlert } from './channels/send-alert';
export { webhookBody } from './channels/webhook';
export { isSigningSecret, signingSecretOf, signWebhook } from './channels/webhook-signature';
