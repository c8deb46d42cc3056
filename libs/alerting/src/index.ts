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
export {
  type AddressResolver,
  DEFAULT_OUTBOUND_SETTINGS,
  type OperatorAllowances,
  type OutboundSettings,
  outboundSettings,
} from './outbound/outbound-settings';
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
export {
  type BreakerVerdict,
  breakerVerdict,
  type ChannelHealth,
  healthAfter,
  MOST_FAILING_MS,
  UNTRIED_CHANNEL,
} from './delivery/breaker';
export {
  afterAttempt,
  ATTEMPT_DELAYS_MS,
  DELIVERY_STATES,
  type DeliveryDecision,
  type DeliveryState,
  mayBeSent,
  MOST_RETRY_AFTER_MS,
} from './delivery/delivery-schedule';
export {
  advance,
  type AlertInstance,
  INACTIVE_INSTANCE,
  INSTANCE_STATES,
  type InstanceSignal,
  type InstanceState,
  type InstanceStep,
  type InstanceTiming,
} from './instances/alert-instance';
export { type EscalationDue, escalationDue, type EscalationStep } from './instances/escalation';
export { fingerprint, groupLabels, type Labels } from './instances/fingerprint';
export {
  DEFAULT_GROUP_POLICIES,
  type GroupDecision,
  groupDecision,
  type GroupPolicy,
  type GroupState,
} from './instances/group-policy';
export { type Inhibition, isInhibited, STANDARD_INHIBITIONS } from './instances/inhibition';
export {
  type LabelMatcher,
  MATCHER_OPERATORS,
  type MatcherOperator,
  matcherProblem,
  meetsAll,
} from './instances/matcher';
export { type LabelledSignal, signalLabels } from './instances/signal-labels';
export {
  LONGEST_SILENCE_MS,
  type Silence,
  silencedBy,
  type SilenceProblem,
  silenceProblems,
} from './instances/silence';
export {
  type AbsenceRule,
  type AgeRule,
  type AlertRule,
  type Comparison,
  type EventRule,
  type RatioRule,
  RULE_KINDS,
  type RuleKind,
  type ThresholdRule,
  type WithoutObservations,
} from './rules/alert-rule';
export {
  type AlertEvent,
  evaluateAbsence,
  evaluateAge,
  evaluateRatio,
  evaluateThreshold,
  type Evaluation,
  eventFires,
} from './rules/evaluate-rule';
export { type MinuteCount, type OpenSpan, previewRule, type RuleObservations } from './rules/preview-rule';
export { type Period, type RulePreview } from './rules/preview-tally';
export { STANDARD_RULES } from './rules/standard-rules';
