import { type AlertRule, type AlertType, matcherProblem } from '@holdfast/alerting';
import type { RequestError, RuleRequest, RuleResponse } from '@holdfast/contracts';
import type { RuleDraft, RuleNotify, StoredAlertRule } from '../ports/repositories';
import { requestProblem } from '../problems/api-problem';

type Condition = RuleRequest['condition'];
type RuleWithoutName = Omit<RuleRequest, 'name' | 'enabled' | 'notify'>;

/** The type that notifications of a rule bear. */
function typeOf(condition: Condition): AlertType {
  switch (condition.kind) {
    case 'event':
      return condition.event_types[0] ?? 'compaction.refused';
    case 'threshold':
    case 'ratio':
      return 'rule.threshold_crossed';
    case 'absence':
      return 'agent.silent';
    case 'age':
      return 'refusal.unattended';
  }
}

/** The rule that somebody asks for. Throws a problem for each matcher that is none; `place` is where the rule stands. */
export function ruleOf(name: string, request: RuleWithoutName, place = ''): AlertRule {
  const { condition } = request;
  if (condition.kind === 'event') demandMatchers(condition.matchers, place);
  return {
    name,
    severity: request.severity,
    type: typeOf(condition),
    groupBy: [...new Set(request.group_by)],
    forMs: request.for_ms,
    keepFiringForMs: request.keep_firing_for_ms,
    ...conditionOf(condition),
  };
}

export function draftOf(request: RuleRequest): RuleDraft {
  return { rule: ruleOf(request.name, request), notify: notifyOf(request.notify), enabled: request.enabled };
}

/** What a rule of each kind has of its own. */
type OfKind<Rule> = Rule extends AlertRule
  ? Omit<Rule, 'name' | 'severity' | 'type' | 'groupBy' | 'forMs' | 'keepFiringForMs'>
  : never;

function conditionOf(condition: Condition): OfKind<AlertRule> {
  switch (condition.kind) {
    case 'event':
      return { kind: 'event', eventTypes: condition.event_types, matchers: condition.matchers };
    case 'threshold': {
      const { kind, metric, op, value, window_ms: windowMs, without_observations: withoutObservations } = condition;
      return { kind, metric, op, value, windowMs, withoutObservations };
    }
    case 'ratio': {
      const { kind, numerator, denominator, op, value, window_ms: windowMs } = condition;
      return {
        kind,
        numerator,
        denominator,
        op,
        value,
        windowMs,
        fewestInDenominator: condition.fewest_in_denominator,
      };
    }
    case 'absence':
      return { kind: 'absence', silentForMs: condition.silent_for_ms };
    case 'age':
      return { kind: 'age', subject: condition.subject, olderThanMs: condition.older_than_ms };
  }
}

function notifyOf({ channel_ids: channelIds, policy, escalation }: RuleRequest['notify']): RuleNotify {
  return {
    channelIds,
    policy:
      policy === null
        ? null
        : {
            groupWaitMs: policy.group_wait_ms,
            groupIntervalMs: policy.group_interval_ms,
            repeatIntervalMs: policy.repeat_interval_ms,
          },
    escalation: escalation.map((step) => ({ afterMs: step.after_ms, channelIds: step.channel_ids })),
  };
}

function demandMatchers(matchers: Extract<Condition, { kind: 'event' }>['matchers'], place: string): void {
  const errors = matchers.flatMap((matcher, at): RequestError[] => {
    const message = matcherProblem(matcher);
    const path = `${place}/condition/matchers/${at}`;
    return message === null ? [] : [{ code: 'FIELD_INVALID', path, in: 'body', message }];
  });
  if (errors.length > 0) throw requestProblem(errors);
}

/** A rule on the wire. What is stored was made by {@link draftOf}, or is a standard rule. */
export function ruleView({ id, rule, notify, enabled, standard, createdAt }: StoredAlertRule): RuleResponse {
  return {
    ...{ id, enabled, standard, name: rule.name, severity: rule.severity, created_at: createdAt },
    condition: conditionView(rule),
    group_by: [...rule.groupBy],
    for_ms: rule.forMs,
    keep_firing_for_ms: rule.keepFiringForMs,
    notify: {
      channel_ids: notify.channelIds === null ? null : [...notify.channelIds],
      policy:
        notify.policy === null
          ? null
          : {
              group_wait_ms: notify.policy.groupWaitMs,
              group_interval_ms: notify.policy.groupIntervalMs,
              repeat_interval_ms: notify.policy.repeatIntervalMs,
            },
      escalation: notify.escalation.map((step) => ({ after_ms: step.afterMs, channel_ids: [...step.channelIds] })),
    },
  };
}

function conditionView(rule: AlertRule): Condition {
  switch (rule.kind) {
    case 'event': {
      const event_types = rule.eventTypes as Extract<Condition, { kind: 'event' }>['event_types'];
      return { kind: 'event', event_types, matchers: rule.matchers.map((matcher) => ({ ...matcher })) };
    }
    case 'threshold': {
      const { kind, op, value, windowMs: window_ms, withoutObservations: without_observations } = rule;
      const metric = rule.metric as Extract<Condition, { kind: 'threshold' }>['metric'];
      return { kind, metric, op, value, window_ms, without_observations };
    }
    case 'ratio': {
      type Metric = Extract<Condition, { kind: 'ratio' }>['numerator'];
      const { kind, op, value, windowMs: window_ms, fewestInDenominator: fewest_in_denominator } = rule;
      const [numerator, denominator] = [rule.numerator as Metric, rule.denominator as Metric];
      return { kind, numerator, denominator, op, value, window_ms, fewest_in_denominator };
    }
    case 'absence':
      return { kind: 'absence', silent_for_ms: rule.silentForMs };
    case 'age':
      return { kind: 'age', subject: 'refusal_group', older_than_ms: rule.olderThanMs };
  }
}
