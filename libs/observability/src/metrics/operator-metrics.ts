import { Counter, Histogram, type Registry } from 'prom-client';
import { closedCounter, closedHistogram, closedPairCounter } from './metric-families';
import {
  ALERT_CHANNELS,
  type AlertChannelKind,
  DELIVERY_OUTCOMES,
  type DeliveryOutcome,
  EFFECT_ANSWERS,
  type EffectAnswer,
  EFFECT_ENDS,
  type EffectEnd,
  STATUS_CLASSES,
  type StatusClass,
  TOOL_OUTCOMES,
  type ToolOutcomeName,
} from './metric-terms';

const DELIVERY_SECONDS = [0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
/** Up to a request that waits a minute for its outcome. */
const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** The effect gate, outcomes of tools, alerts and HTTP. */
export interface OperatorMetrics {
  /** A claim was answered. */
  countEffectAnswer(answer: EffectAnswer): void;
  /** A claimed effect came to its end. */
  countEffectEnd(end: EffectEnd, effects?: number): void;
  /** An agent told how a tool call went. */
  countToolOutcome(outcome: ToolOutcomeName): void;
  /** One attempt at delivering one alert. */
  observeAlertDelivery(channel: AlertChannelKind, outcome: DeliveryOutcome, seconds: number): void;
  /** A request was answered; `route` is a template of the API or `none`. */
  observeRequest(request: ObservedRequest): void;
  /** Makes the counters of these routes start at zero. */
  expectRoutes(routes: readonly { readonly method: string; readonly route: string }[]): void;
}

export interface ObservedRequest {
  readonly method: string;
  readonly route: string;
  readonly status: StatusClass;
  readonly seconds: number;
}

export function operatorMetrics(registry: Registry): OperatorMetrics {
  const deliveries = closedPairCounter(
    registry,
    'holdfast_alert_notifications_total',
    'Attempts at delivering alerts',
    { label: 'channel', values: ALERT_CHANNELS },
    { label: 'outcome', values: DELIVERY_OUTCOMES },
  );
  const deliverySeconds = closedHistogram(
    registry,
    'holdfast_alert_delivery_duration_seconds',
    'Time of one attempt at delivering an alert',
    'channel',
    ALERT_CHANNELS,
    DELIVERY_SECONDS,
  );
  const requestSeconds = new Histogram({
    name: 'holdfast_http_request_duration_seconds',
    help: 'Time of one request by the template of its route; waiting for an outcome included',
    labelNames: ['method', 'route', 'status'],
    buckets: REQUEST_SECONDS,
    registers: [registry],
  });
  const requests = new Counter({
    name: 'holdfast_http_requests_total',
    help: 'Requests by the template of their route; aborted: the client went away first',
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
  });
  return {
    countEffectAnswer: closedCounter(
      registry,
      'holdfast_effect_attempts_total',
      'Claims of effects, by what the gate answered',
      'answer',
      EFFECT_ANSWERS,
    ),
    countEffectEnd: closedCounter(
      registry,
      'holdfast_effects_settled_total',
      'Claimed effects by how they ended; unknown is a lease that ran out',
      'status',
      EFFECT_ENDS,
    ),
    countToolOutcome: closedCounter(
      registry,
      'holdfast_tool_outcomes_total',
      'Outcomes of tool calls that agents told',
      'outcome',
      TOOL_OUTCOMES,
    ),
    observeAlertDelivery(channel, outcome, seconds) {
      deliveries(channel, outcome);
      deliverySeconds(channel, seconds);
    },
    observeRequest({ method, route, status, seconds }) {
      requests.inc({ method, route, status });
      requestSeconds.observe({ method, route, status }, seconds);
    },
    expectRoutes(routes) {
      for (const { method, route } of routes) {
        for (const status of STATUS_CLASSES) requests.inc({ method, route, status }, 0);
      }
    },
  };
}
