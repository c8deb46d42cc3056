import {
  afterAttempt,
  type AlertNotification,
  type AttemptResult,
  breakerVerdict,
  type ChannelKind,
  type DeliveryState,
  healthAfter,
  mayBeSent,
  type SendAlert,
} from '@holdfast/alerting';
import type { Logger } from '@holdfast/observability';
import {
  type AlertEngineRepository,
  type DeliveryStep,
  PersistenceError,
  type TakenDelivery,
} from '@holdfast/persistence';

export interface DeliverDependencies {
  readonly alerts: AlertEngineRepository;
  readonly send: SendAlert;
  /** From 0 to 1. */
  random(): number;
  readonly log: Logger;
  observeDelivery(kind: ChannelKind, outcome: AttemptResult['outcome'], seconds: number): void;
}

/** A process that dies while sending lets the delivery become due again after this; receivers know the message by its id. */
const LEASE_MS = 60_000;
/** How long a message waits for the one that it must not overtake. */
const WAIT_FOR_TRIGGER_MS = 2_000;

/** Sends one delivery that is due, and writes down what came of it. A repeated or late call does nothing. */
export async function deliverAlert(id: string, deps: DeliverDependencies, signal?: AbortSignal): Promise<void> {
  const { alerts, log } = deps;
  const tenantId = await alerts.tenantOfDelivery(id);
  if (tenantId === undefined) return;
  const taken = await alerts.take({ tenantId, id }, LEASE_MS);
  if (taken === undefined) return;
  if (!taken.channelActive) {
    await alerts.finish(taken, { ...still(taken, 'suppressed', 0), attempts: taken.attempts });
    return;
  }
  if (taken.action !== 'test' && !mayBeSent(taken.action, taken.triggerState as DeliveryState | null)) {
    await alerts.finish(taken, still(taken, 'pending', WAIT_FOR_TRIGGER_MS));
    return;
  }
  const channel = await alerts.openChannel(taken).catch((error: unknown) => {
    if (isUnreadable(error)) return undefined;
    throw error;
  });
  if (channel === undefined) {
    log.error({ delivery_id: id, channel_id: taken.channelId }, 'The channel cannot be read; its delivery is given up');
    await alerts.finish(taken, still(taken, 'failed_permanently', 0));
    return;
  }
  const result = await deps.send(taken.notification as AlertNotification, channel, signal);
  deps.observeDelivery(channel.kind, result.outcome, result.latencyMs / 1_000);
  await alerts.finish(taken, await stepAfter(taken, result, deps));
  const fields = { delivery_id: id, channel_id: taken.channelId, outcome: result.outcome };
  log[result.outcome === 'delivered' ? 'info' : 'warn']({ ...fields, code: result.errorCode }, 'An alert was sent');
}

async function stepAfter(
  taken: TakenDelivery,
  result: AttemptResult,
  { alerts, random }: DeliverDependencies,
): Promise<DeliveryStep> {
  const nowMs = Date.now();
  const health = healthAfter(await alerts.health(taken), result, nowMs);
  const verdict = breakerVerdict(health, result, nowMs);
  const decided = afterAttempt(taken.attempts, result, random());
  return {
    state: decided.state,
    attempts: decided.attempts,
    delayMs: decided.state === 'pending' ? decided.delayMs : 0,
    attempt: {
      outcome: result.outcome,
      statusCode: result.statusCode ?? undefined,
      latencyMs: result.latencyMs,
      errorCode: result.errorCode ?? undefined,
      detail: result.detail ?? undefined,
      responseExcerpt: result.responseExcerpt,
    },
    failingSince: health.failingSince,
    isSuccess: result.outcome === 'delivered',
    disabledReason: verdict.state === 'disabled' ? verdict.detail : undefined,
    pauseMs: result.retryAfterMs ?? undefined,
  };
}

/** Its secrets cannot be read and never will be: the tenant's key is gone. */
function isUnreadable(error: unknown): boolean {
  return error instanceof PersistenceError && error.code === 'CHANNEL_UNREADABLE';
}

function still(
  taken: TakenDelivery,
  state: 'pending' | 'suppressed' | 'failed_permanently',
  delayMs: number,
): DeliveryStep {
  return {
    ...{ state, delayMs, attempts: taken.attempts, attempt: undefined, failingSince: null, isSuccess: false },
    ...{ disabledReason: undefined, pauseMs: undefined },
  };
}
