/** Problems of alerting. */
export const ALERT_PROBLEMS = {
  CHANNEL_UNKNOWN: {
    status: 404,
    title: 'There is no such alert channel',
    remedy: 'Use an id that GET /v1/alerts/channels lists.',
  },
  RULE_UNKNOWN: {
    status: 404,
    title: 'There is no such alert rule',
    remedy: 'Use an id that GET /v1/alerts/rules lists.',
  },
  SILENCE_UNKNOWN: {
    status: 404,
    title: 'There is no such silence',
    remedy: 'Use an id that GET /v1/alerts/silences lists.',
  },
  ALERT_UNKNOWN: {
    status: 404,
    title: 'There is no such alert',
    remedy: 'Use an id that GET /v1/alerts/instances lists.',
  },
  DELIVERY_UNKNOWN: {
    status: 404,
    title: 'There is no such delivery',
    remedy: 'Use an id that GET /v1/alerts/deliveries lists.',
  },
  NAME_TAKEN: { status: 409, title: 'Another one has this name', remedy: 'Take a name that is free.' },
  RECEIVER_NOT_ALLOWED: {
    status: 422,
    title: 'The channel may not reach this receiver',
    remedy: 'Use a public address; the operator of the platform may allow networks of your own (ALERT_ALLOWED_CIDRS).',
  },
  CHANNEL_NOT_SIGNED: {
    status: 409,
    title: 'The channel has no signing secret',
    remedy: 'Only webhooks sign; replace other secrets with PUT.',
  },
  CHANNEL_UNREADABLE: {
    status: 409,
    title: 'The secrets of the channel cannot be read',
    remedy: 'Delete the channel and add it again: the key of its secrets was erased.',
  },
  CHANNEL_DISABLED: {
    status: 409,
    title: 'The channel is disabled',
    remedy: 'Enable it with PUT /v1/alerts/channels/{id}.',
  },
  RULE_STANDARD: {
    status: 409,
    title: 'A standard rule cannot be deleted',
    remedy: 'Disable it with PUT /v1/alerts/rules/{id}.',
  },
  ALERT_PENDING: {
    status: 409,
    title: 'The alert does not fire yet',
    remedy: 'Nobody was told of it; silence its labels where nobody is to be.',
  },
  ALERT_RESOLVED: { status: 409, title: 'The alert is over', remedy: 'What happens again is a new alert.' },
  DELIVERY_PENDING: {
    status: 409,
    title: 'The delivery is still being tried',
    remedy: 'Wait for its next attempt.',
    retryable: true,
  },
} as const;
