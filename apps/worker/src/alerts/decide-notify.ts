import {
  ALERTMANAGER_RESEND_MS,
  ALERTMANAGER_RESOLVED_MS,
  type AlertInstance,
  type AlertNotification,
  type AlertType,
  DEFAULT_GROUP_POLICIES,
  escalationDue,
  groupDecision,
  type GroupPolicy,
  isInhibited,
  type LabelMatcher,
  silencedBy,
  STANDARD_INHIBITIONS,
} from '@holdfast/alerting';
import type { Message, NotifyContext, NotifyDecision, StoredInstance } from '@holdfast/persistence';
import { readRule, type RuleNotify } from './read-rule';

export interface NotifySettings {
  readonly tenantId: string;
  /** Where people look; null: messages bear no link. */
  readonly dashboardUrl: string | null;
}

const NOTHING: NotifyDecision = { messages: [], silencedBy: null, nextMs: null };

/**
 * Whether an alert is told now, to whom, and when to look again. What fires is told at once (an event waits for no group),
 * again when it grew or was not taken care of, and once when it is over.
 */
export function decideNotify(context: NotifyContext, settings: NotifySettings): NotifyDecision {
  const { instance, rule: stored, nowMs } = context;
  const { rule, notify } = readRule(stored);
  const policy = notify.policy ?? usualPolicy(instance.tier, rule.kind === 'event');
  if (policy === null || instance.state === 'pending') return NOTHING;
  const silence = silencedBy(
    { ...instance.labels, tier: instance.tier },
    context.silences.map((each) => ({ ...each, matchers: each.matchers as readonly LabelMatcher[] })),
    nowMs,
  );
  if (silence !== null) return { ...NOTHING, silencedBy: silence.id, nextMs: silence.endsAt };
  if (isInhibited(instance.labels, context.firing, STANDARD_INHIBITIONS))
    return { ...NOTHING, nextMs: nowMs + policy.groupIntervalMs };
  const tell = (action: Message['action'], channels: NotifyContext['channels']): readonly Message[] =>
    channels.map(({ id }) => ({ channelId: id, action, notification: notificationOf(context, action, settings) }));
  const channels = channelsOf(context, notify);
  switch (instance.state) {
    case 'firing':
      return firing(context, notify, policy, channels, tell);
    case 'acknowledged':
      return instance.toldState === 'firing'
        ? { messages: tell('acknowledge', channels), told: told(instance), silencedBy: null, nextMs: null }
        : NOTHING;
    case 'resolved':
      return resolved(context, channels, tell);
  }
}

function usualPolicy(tier: StoredInstance['tier'], isEvent: boolean): GroupPolicy | null {
  const policy = DEFAULT_GROUP_POLICIES[tier];
  return policy === null || !isEvent ? policy : { ...policy, groupWaitMs: 0 };
}

type Tell = (action: Message['action'], channels: NotifyContext['channels']) => readonly Message[];

function firing(
  context: NotifyContext,
  { escalation }: RuleNotify,
  policy: GroupPolicy,
  channels: NotifyContext['channels'],
  tell: Tell,
): NotifyDecision {
  const { instance, nowMs } = context;
  const decision = groupDecision(
    {
      firstFiredAt: instance.firedAt ?? nowMs,
      lastToldAt: instance.toldAt,
      occurrences: instance.count,
      occurrencesTold: instance.notifiedCount,
      acknowledged: false,
    },
    policy,
    nowMs,
  );
  const steps = escalationDue(escalation, alertOf(instance), new Set(instance.toldSteps), nowMs);
  const escalated = new Set(steps.due.flatMap((at) => escalation[at]?.channelIds ?? []));
  const isTold = decision.kind === 'tell';
  const resending = channels.filter(({ kind }) => kind === 'alertmanager');
  const isResent = !isTold && resending.length > 0 && nowMs - (instance.toldAt ?? 0) >= ALERTMANAGER_RESEND_MS;
  const wanted = isTold ? channels : isResent ? resending : [];
  const also = context.channels.filter(({ id }) => escalated.has(id) && !wanted.some((channel) => channel.id === id));
  const messages = tell('trigger', [...wanted, ...also]);
  const wakes = [
    decision.kind === 'wait' ? decision.untilMs : null,
    isTold && policy.repeatIntervalMs !== null ? nowMs + policy.repeatIntervalMs : null,
    steps.nextAt,
    resending.length > 0 ? nowMs + ALERTMANAGER_RESEND_MS : null,
  ].flatMap((at) => at ?? []);
  const nextMs = wakes.length === 0 ? null : Math.min(...wakes);
  if (messages.length === 0 && !isTold) return { messages, silencedBy: null, nextMs };
  const toldSteps = [...instance.toldSteps, ...steps.due];
  return { messages, told: { state: 'firing', steps: toldSteps }, silencedBy: null, nextMs };
}

/** Whoever was told that it fires is told that it is over; an Alertmanager for a while, as it asks. */
function resolved({ instance, nowMs }: NotifyContext, channels: NotifyContext['channels'], tell: Tell): NotifyDecision {
  if (instance.toldState === null) return NOTHING;
  const resending = channels.filter(({ kind }) => kind === 'alertmanager');
  const isFirst = instance.toldState !== 'resolved';
  const isOver = nowMs - (instance.resolvedAt ?? nowMs) >= ALERTMANAGER_RESOLVED_MS;
  const messages = tell('resolve', isFirst ? channels : resending);
  const nextMs = resending.length > 0 && !isOver ? nowMs + ALERTMANAGER_RESEND_MS : null;
  return { messages, told: told(instance), silencedBy: null, nextMs };
}

function told({ state, toldSteps }: StoredInstance): NonNullable<NotifyDecision['told']> {
  return { state, steps: toldSteps };
}

function channelsOf({ channels }: NotifyContext, { channelIds }: RuleNotify): NotifyContext['channels'] {
  return channelIds === null ? channels : channels.filter(({ id }) => channelIds.includes(id));
}

/** An instance in the words of the decisions. */
export function alertOf(instance: StoredInstance): AlertInstance {
  return {
    state: instance.state,
    occurrences: instance.count,
    firstSeenAt: instance.firstAt,
    lastSeenAt: instance.lastAt,
    pendingSince: instance.pendingSince,
    clearSince: instance.clearSince,
    firedAt: instance.firedAt,
    acknowledgedAt: instance.acknowledgedAt,
    acknowledgedBy: instance.acknowledgedBy,
    resolvedAt: instance.resolvedAt,
    resolvedBy: null,
  };
}

function notificationOf(
  { instance, rule: stored }: NotifyContext,
  action: Message['action'],
  { tenantId, dashboardUrl }: NotifySettings,
): Omit<AlertNotification, 'notificationId'> & Readonly<Record<string, unknown>> {
  const { detail, labels } = instance;
  const text = (name: string): string | null => (typeof detail[name] === 'string' ? detail[name] : null);
  const number = (name: string): number | null => (typeof detail[name] === 'number' ? detail[name] : null);
  const iso = (ms: number): string => new Date(ms).toISOString();
  const tools = Array.isArray(detail['tools']) ? detail['tools'].map(String) : [text('tool') ?? ''];
  const at = { trigger: instance.lastAt, acknowledge: instance.acknowledgedAt, resolve: instance.resolvedAt }[action];
  return {
    instanceId: instance.id,
    action,
    type: (text('type') ?? readRule(stored).rule.type) as AlertType,
    severity: instance.tier,
    occurredAt: iso(at ?? instance.lastAt),
    tenantId,
    agentId: labels['agent'] === undefined || labels['agent'] === '' ? text('agent') : labels['agent'],
    sessionId: text('session_id'),
    code: text('code') ?? text('kind'),
    toolNames: tools.filter((tool) => tool !== ''),
    agentStuck: typeof detail['stuck'] === 'boolean' ? detail['stuck'] : null,
    headroomTokens: number('headroom_tokens'),
    firstRepair: text('first_repair'),
    occurrences: instance.count,
    firstSeenAt: iso(instance.firstAt),
    lastSeenAt: iso(instance.lastAt),
    dashboardUrl: dashboardUrl === null ? null : pageOf(dashboardUrl, instance),
    runbookUrl: null,
  };
}

/** The page that says what to do about it. */
function pageOf(base: string, { id, detail }: StoredInstance): string {
  const subject = typeof detail['subject'] === 'string' ? encodeURIComponent(detail['subject']) : '';
  const type = typeof detail['type'] === 'string' ? detail['type'] : '';
  const page = PAGES.find(([prefix]) => type.startsWith(prefix))?.[1];
  const path = page === undefined || subject === '' ? `alerts/${id}` : `${page}/${subject}`;
  return `${base.replace(/\/$/u, '')}/${path}`;
}

const PAGES: readonly (readonly [string, string])[] = [
  ['compaction.refus', 'refusals'],
  ['compaction.', 'runs'],
  ['drift.', 'drift'],
  ['effect.', 'effects'],
];
