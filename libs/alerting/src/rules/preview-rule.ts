import { advance, INACTIVE_INSTANCE, type InstanceSignal } from '../instances/alert-instance';
import { groupLabels, type Labels } from '../instances/fingerprint';
import type { AlertRule, EventRule, RatioRule, ThresholdRule } from './alert-rule';
import { type AlertEvent, evaluateRatio, evaluateThreshold, type Evaluation, eventFires } from './evaluate-rule';
import { type Period, PreviewTally, type RulePreview } from './preview-tally';

/** How often something happened in one minute. */
export interface MinuteCount {
  readonly metric: string;
  readonly agent: string;
  readonly atMs: number;
  readonly count: number;
}

/** A stretch of time in which an agent was silent, or something waited. */
export interface OpenSpan extends Period {
  readonly labels: Labels;
}

/** What there was to be seen by a rule of each kind, in order of time. */
export type RuleObservations =
  | { readonly kind: 'events'; readonly events: readonly (AlertEvent & { readonly atMs: number })[] }
  | { readonly kind: 'counts'; readonly counts: readonly MinuteCount[] }
  | { readonly kind: 'spans'; readonly spans: readonly OpenSpan[] };

const MINUTE_MS = 60_000;
/** An alert that only somebody ends is taken to be over when nothing of it came for so long. */
const TAKEN_AS_OVER_MS = 86_400_000;
const MOST_LOOKS = 2_000;
const MOST_EVALUATIONS = 300_000;

/** How often a rule would have fired over a period, by what there was to be seen. */
export function previewRule(rule: AlertRule, seen: RuleObservations, period: Period): RulePreview {
  const tally = new PreviewTally(period);
  switch (rule.kind) {
    case 'event':
      if (seen.kind === 'events') previewEvents(rule, seen.events, tally);
      break;
    case 'threshold':
    case 'ratio':
      if (seen.kind === 'counts') previewNumbers(rule, seen.counts, period, tally);
      break;
    case 'absence':
    case 'age': {
      const limitMs = rule.kind === 'absence' ? rule.silentForMs : rule.olderThanMs;
      if (seen.kind === 'spans') previewSpans(rule, limitMs, seen.spans, period, tally);
    }
  }
  return tally.preview();
}

function previewEvents(
  rule: EventRule,
  events: readonly (AlertEvent & { readonly atMs: number })[],
  tally: PreviewTally,
): void {
  const overAfterMs = rule.keepFiringForMs ?? TAKEN_AS_OVER_MS;
  const bursts = new Map<string, { since: number; last: number; fired: boolean }>();
  for (const event of events) {
    if (!eventFires(rule, event)) continue;
    const labels = groupLabels(event.labels, rule.groupBy);
    tally.add('occurrences', labels, event.atMs);
    const key = JSON.stringify(Object.values(labels));
    const known = bursts.get(key);
    const burst =
      known === undefined || event.atMs - known.last > overAfterMs
        ? { since: event.atMs, last: event.atMs, fired: false }
        : { ...known, last: event.atMs };
    if (!burst.fired && event.atMs - burst.since >= rule.forMs) {
      burst.fired = true;
      tally.add('alerts', labels, event.atMs);
    }
    bursts.set(key, burst);
  }
}

function previewSpans(
  { groupBy, forMs }: AlertRule,
  limitMs: number,
  spans: readonly OpenSpan[],
  { fromMs, toMs }: Period,
  tally: PreviewTally,
): void {
  for (const span of spans) {
    const holdsAt = span.fromMs + limitMs;
    const labels = groupLabels(span.labels, groupBy);
    if (holdsAt < span.toMs && holdsAt >= fromMs && holdsAt < toMs) tally.add('occurrences', labels, holdsAt);
    const firesAt = holdsAt + forMs;
    if (firesAt < span.toMs && firesAt >= fromMs && firesAt < toMs) tally.add('alerts', labels, firesAt);
  }
}

type NumberRule = ThresholdRule | RatioRule;

function previewNumbers(rule: NumberRule, counts: readonly MinuteCount[], period: Period, tally: PreviewTally): void {
  const perAgent = rule.groupBy.includes('agent');
  const groups = new Map<string, MinuteCount[]>();
  for (const count of counts) {
    const agent = perAgent ? count.agent : '';
    const group = groups.get(agent);
    if (group === undefined) groups.set(agent, [count]);
    else group.push(count);
  }
  const stepMs = stepOf(rule, period, groups.size);
  for (const [agent, minutes] of groups) {
    previewGroup(rule, minutes, groupLabels({ agent }, rule.groupBy), period, stepMs, tally);
  }
}

/** Between two looks at the numbers: fine enough for the window, coarse enough for many groups. */
function stepOf({ windowMs }: NumberRule, { fromMs, toMs }: Period, groups: number): number {
  const lengthMs = toMs - fromMs;
  return Math.max(MINUTE_MS, Math.min(windowMs / 2, lengthMs / MOST_LOOKS), (lengthMs * groups) / MOST_EVALUATIONS);
}

function previewGroup(
  rule: NumberRule,
  minutes: readonly MinuteCount[],
  labels: Labels,
  { fromMs, toMs }: Period,
  stepMs: number,
  tally: PreviewTally,
): void {
  const timing = { forMs: rule.forMs, keepFiringForMs: rule.keepFiringForMs ?? TAKEN_AS_OVER_MS };
  const sums = new Map<string, number>();
  const add = ({ metric }: MinuteCount, count: number): void => void sums.set(metric, (sums.get(metric) ?? 0) + count);
  let instance = INACTIVE_INSTANCE;
  let held = false;
  let first = 0;
  let next = 0;
  for (let at = fromMs; at < toMs; at += stepMs) {
    for (; minutes[next] !== undefined && (minutes[next]?.atMs ?? 0) <= at; next += 1) {
      const minute = minutes[next];
      if (minute !== undefined) add(minute, minute.count);
    }
    for (; first < next && (minutes[first]?.atMs ?? 0) <= at - rule.windowMs; first += 1) {
      const minute = minutes[first];
      if (minute !== undefined) add(minute, -minute.count);
    }
    const evaluation = evaluated(rule, sums);
    const holds = evaluation.verdict === 'holds';
    if (holds && !held) tally.add('occurrences', labels, at);
    if (evaluation.verdict !== 'keep') held = holds;
    const step = advance(instance, signalOf(evaluation, at), timing);
    if (step.action === 'trigger') tally.add('alerts', labels, at);
    instance = step.instance.state === 'resolved' ? INACTIVE_INSTANCE : step.instance;
  }
}

function evaluated(rule: NumberRule, sums: ReadonlyMap<string, number>): Evaluation {
  if (rule.kind === 'threshold') return evaluateThreshold(rule, sums.get(rule.metric) ?? 0);
  return evaluateRatio(rule, sums.get(rule.numerator) ?? 0, sums.get(rule.denominator) ?? 0);
}

function signalOf({ verdict }: Evaluation, at: number): InstanceSignal {
  if (verdict === 'holds') return { kind: 'holds', at, occurrences: 1 };
  return verdict === 'clears' ? { kind: 'clears', at } : { kind: 'passes', at };
}
