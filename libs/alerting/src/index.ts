export { type AddressGuard, createAddressGuard } from './address-guard';
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
} from './attempt-result';
export { createGuardedHttp, type GuardedHttp, type GuardedRequest } from './guarded-http';
export { type AddressResolver, DEFAULT_OUTBOUND_SETTINGS, type OutboundSettings } from './outbound-settings';
