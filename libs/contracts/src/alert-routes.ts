import { alertActRequestSchema, alertPageSchema, alertQuerySchema, alertSchema } from './alert';
import { createSilenceRequestSchema, silencePageSchema, silenceQuerySchema, silenceSchema } from './alert';
import {
  channelPageSchema,
  channelSchema,
  channelWithSecretSchema,
  createChannelRequestSchema,
  putChannelRequestSchema,
  replayedSchema,
  replayRequestSchema,
  rotateSecretRequestSchema,
  testedChannelSchema,
} from './alert-channel';
import { deliveryDetailSchema, deliveryPageSchema, deliveryQuerySchema, deliverySchema } from './alert-delivery';
import {
  rulePageSchema,
  rulePreviewRequestSchema,
  rulePreviewSchema,
  ruleRequestSchema,
  ruleSchema,
} from './alert-rule';
import { BODY_PROBLEMS, json, QUERY_PROBLEMS, type Route } from './route';
import { idSchema, pageQuerySchema } from './scalars';

const TAG = 'alerts';
const BY_ID = { id: idSchema };
const READING = { tag: TAG, method: 'get', access: ['alerts:read'] } as const;
const MANAGING = { tag: TAG, method: 'post', access: ['alerts:manage'] } as const;
const CHANNEL_PROBLEMS = ['AGENT_NOT_ALLOWED', 'RECEIVER_NOT_ALLOWED', 'NAME_TAKEN', ...BODY_PROBLEMS] as const;
const RULE_PROBLEMS = ['AGENT_NOT_ALLOWED', 'NAME_TAKEN', 'CHANNEL_UNKNOWN', ...BODY_PROBLEMS] as const;

const channelRoutes: readonly Route[] = [
  {
    ...MANAGING,
    operation: 'createAlertChannel',
    path: '/v1/alerts/channels',
    summary: 'Adds a channel. Its secrets are never answered again; a signing secret is drawn where none is given.',
    body: createChannelRequestSchema,
    answers: { 201: json('The channel, and its signing secret this once.', channelWithSecretSchema) },
    problems: CHANNEL_PROBLEMS,
  },
  {
    ...READING,
    operation: 'listAlertChannels',
    path: '/v1/alerts/channels',
    summary: 'Channels, oldest first.',
    query: pageQuerySchema,
    answers: { 200: json('A page of channels.', channelPageSchema) },
    problems: QUERY_PROBLEMS,
  },
  {
    ...READING,
    operation: 'getAlertChannel',
    path: '/v1/alerts/channels/{id}',
    summary: 'A channel, without its secrets.',
    parameters: BY_ID,
    answers: { 200: json('The channel.', channelSchema) },
    problems: ['CHANNEL_UNKNOWN'],
  },
  {
    ...MANAGING,
    operation: 'putAlertChannel',
    method: 'put',
    path: '/v1/alerts/channels/{id}',
    summary: 'Replaces a channel; secrets that are left out stay. Enables one that was disabled.',
    parameters: BY_ID,
    body: putChannelRequestSchema,
    answers: { 200: json('The channel as it is now.', channelSchema) },
    problems: ['CHANNEL_UNKNOWN', 'CHANNEL_UNREADABLE', ...CHANNEL_PROBLEMS],
  },
  {
    ...MANAGING,
    operation: 'deleteAlertChannel',
    method: 'delete',
    path: '/v1/alerts/channels/{id}',
    summary: 'Deletes a channel, its secrets, and what was still to be sent to it.',
    parameters: BY_ID,
    answers: { 204: { description: 'It is gone.', content: {} } },
    problems: ['AGENT_NOT_ALLOWED', 'CHANNEL_UNKNOWN'],
  },
  {
    ...MANAGING,
    operation: 'rotateAlertChannelSecret',
    path: '/v1/alerts/channels/{id}/rotate-secret',
    summary: 'Signs with a new secret; for 24 hours with the old one as well.',
    parameters: BY_ID,
    body: rotateSecretRequestSchema,
    answers: { 200: json('The channel, and its new signing secret this once.', channelWithSecretSchema) },
    problems: ['AGENT_NOT_ALLOWED', 'CHANNEL_UNKNOWN', 'CHANNEL_NOT_SIGNED', 'CHANNEL_UNREADABLE', ...BODY_PROBLEMS],
  },
  {
    ...MANAGING,
    operation: 'testAlertChannel',
    path: '/v1/alerts/channels/{id}/test',
    summary: 'Sends a message of type `channel.test` at once, and answers what the receiver said.',
    parameters: BY_ID,
    answers: { 200: json('The attempt, whatever it came to.', testedChannelSchema) },
    problems: ['AGENT_NOT_ALLOWED', 'CHANNEL_UNKNOWN', 'CHANNEL_UNREADABLE'],
  },
  {
    ...MANAGING,
    operation: 'replayAlertChannel',
    path: '/v1/alerts/channels/{id}/replay',
    summary: 'Sends again what the channel missed since a time, with the ids that the messages had.',
    parameters: BY_ID,
    body: replayRequestSchema,
    answers: { 200: json('How many messages that are.', replayedSchema) },
    problems: ['AGENT_NOT_ALLOWED', 'CHANNEL_UNKNOWN', 'CHANNEL_DISABLED', ...BODY_PROBLEMS],
  },
];

const ruleRoutes: readonly Route[] = [
  {
    ...MANAGING,
    operation: 'createAlertRule',
    path: '/v1/alerts/rules',
    summary: 'Adds a rule.',
    body: ruleRequestSchema,
    answers: { 201: json('The rule.', ruleSchema) },
    problems: RULE_PROBLEMS,
  },
  {
    ...READING,
    operation: 'listAlertRules',
    path: '/v1/alerts/rules',
    summary: 'Rules, the standard ones among them.',
    query: pageQuerySchema,
    answers: { 200: json('A page of rules.', rulePageSchema) },
    problems: QUERY_PROBLEMS,
  },
  {
    ...READING,
    operation: 'previewAlertRule',
    method: 'post',
    path: '/v1/alerts/rules/preview',
    summary: 'How often a rule would have fired lately. Stores nothing.',
    body: rulePreviewRequestSchema,
    answers: { 200: json('What it would have come to.', rulePreviewSchema) },
    problems: ['AGENT_NOT_ALLOWED', ...BODY_PROBLEMS],
  },
  {
    ...READING,
    operation: 'getAlertRule',
    path: '/v1/alerts/rules/{id}',
    summary: 'A rule.',
    parameters: BY_ID,
    answers: { 200: json('The rule.', ruleSchema) },
    problems: ['RULE_UNKNOWN'],
  },
  {
    ...MANAGING,
    operation: 'putAlertRule',
    method: 'put',
    path: '/v1/alerts/rules/{id}',
    summary: 'Replaces a rule, which stays of its kind. Alerts of one that is disabled are over.',
    parameters: BY_ID,
    body: ruleRequestSchema,
    answers: { 200: json('The rule as it is now.', ruleSchema) },
    problems: ['RULE_UNKNOWN', ...RULE_PROBLEMS],
  },
  {
    ...MANAGING,
    operation: 'deleteAlertRule',
    method: 'delete',
    path: '/v1/alerts/rules/{id}',
    summary: "Deletes a rule of one's own; its alerts are over.",
    parameters: BY_ID,
    answers: { 204: { description: 'It is gone.', content: {} } },
    problems: ['AGENT_NOT_ALLOWED', 'RULE_UNKNOWN', 'RULE_STANDARD'],
  },
];

const silenceRoutes: readonly Route[] = [
  {
    ...MANAGING,
    operation: 'createSilence',
    path: '/v1/alerts/silences',
    summary: 'Holds back the telling of alerts for a while; the alerts themselves go on.',
    body: createSilenceRequestSchema,
    answers: { 201: json('The silence.', silenceSchema) },
    problems: ['AGENT_NOT_ALLOWED', ...BODY_PROBLEMS],
  },
  {
    ...READING,
    operation: 'listSilences',
    path: '/v1/alerts/silences',
    summary: 'Silences, newest first.',
    query: silenceQuerySchema,
    answers: { 200: json('A page of silences.', silencePageSchema) },
    problems: QUERY_PROBLEMS,
  },
  {
    ...READING,
    operation: 'getSilence',
    path: '/v1/alerts/silences/{id}',
    summary: 'A silence.',
    parameters: BY_ID,
    answers: { 200: json('The silence.', silenceSchema) },
    problems: ['SILENCE_UNKNOWN'],
  },
  {
    ...MANAGING,
    operation: 'endSilence',
    path: '/v1/alerts/silences/{id}/end',
    summary: 'Ends a silence now; what it held back and still fires is told.',
    parameters: BY_ID,
    answers: { 200: json('The silence, which is over.', silenceSchema) },
    problems: ['AGENT_NOT_ALLOWED', 'SILENCE_UNKNOWN'],
  },
];

const alertInstanceRoutes: readonly Route[] = [
  {
    ...READING,
    operation: 'listAlerts',
    path: '/v1/alerts/instances',
    summary: 'Alerts, the last seen first.',
    query: alertQuerySchema,
    answers: { 200: json('A page of alerts.', alertPageSchema) },
    problems: ['AGENT_NOT_ALLOWED', ...QUERY_PROBLEMS],
  },
  {
    ...READING,
    operation: 'getAlert',
    path: '/v1/alerts/instances/{id}',
    summary: 'An alert.',
    parameters: BY_ID,
    answers: { 200: json('The alert.', alertSchema) },
    problems: ['ALERT_UNKNOWN'],
  },
  {
    ...MANAGING,
    operation: 'acknowledgeAlert',
    path: '/v1/alerts/instances/{id}/acknowledge',
    summary: 'Says that somebody is on it: ends repeats and escalation.',
    parameters: BY_ID,
    body: alertActRequestSchema,
    answers: { 200: json('The alert as it is now.', alertSchema) },
    problems: ['ALERT_UNKNOWN', 'ALERT_PENDING', 'ALERT_RESOLVED', ...BODY_PROBLEMS],
  },
  {
    ...MANAGING,
    operation: 'resolveAlert',
    path: '/v1/alerts/instances/{id}/resolve',
    summary: 'Says that it is over; what happens again is a new alert.',
    parameters: BY_ID,
    body: alertActRequestSchema,
    answers: { 200: json('The alert as it is now.', alertSchema) },
    problems: ['ALERT_UNKNOWN', 'ALERT_PENDING', 'ALERT_RESOLVED', ...BODY_PROBLEMS],
  },
];

const deliveryRoutes: readonly Route[] = [
  {
    ...READING,
    operation: 'listAlertDeliveries',
    path: '/v1/alerts/deliveries',
    summary: 'Messages to channels, newest first.',
    query: deliveryQuerySchema,
    answers: { 200: json('A page of deliveries.', deliveryPageSchema) },
    problems: QUERY_PROBLEMS,
  },
  {
    ...READING,
    operation: 'getAlertDelivery',
    path: '/v1/alerts/deliveries/{id}',
    summary: 'A message with every attempt at delivering it.',
    parameters: BY_ID,
    answers: { 200: json('The delivery.', deliveryDetailSchema) },
    problems: ['DELIVERY_UNKNOWN'],
  },
  {
    ...MANAGING,
    operation: 'resendAlertDelivery',
    path: '/v1/alerts/deliveries/{id}/resend',
    summary: 'Sends the same message again, with the id that it had.',
    parameters: BY_ID,
    answers: { 202: json('The delivery that sends it.', deliverySchema) },
    problems: ['AGENT_NOT_ALLOWED', 'DELIVERY_UNKNOWN', 'DELIVERY_PENDING', 'CHANNEL_DISABLED'],
  },
];

/** Routes of alerting. */
export const alertRoutes: readonly Route[] = [
  ...channelRoutes,
  ...ruleRoutes,
  ...silenceRoutes,
  ...alertInstanceRoutes,
  ...deliveryRoutes,
];
