import type { Registry } from 'prom-client';
import { absentGauge, absentGauges } from './metric-families';
import { OPEN_SEVERITIES, type OpenSeverity } from './metric-terms';

/** Things of one kind that wait, and the age of the oldest; 0 when none does. */
export interface Waiting {
  readonly count: number;
  readonly oldestAgeSeconds: number;
}

/** What stands in the database now, over all tenants. */
export interface StoreState {
  /** Jobs not sent to the queue yet. */
  readonly outbox: Waiting;
  /** Passes without an outcome. */
  readonly unfinishedPasses: Waiting;
  /** Refusals that nobody has resolved, grouped. */
  readonly openRefusals: Readonly<Record<OpenSeverity, Waiting>>;
  /** Alerts that are owed and not delivered. */
  readonly pendingDeliveries: Waiting;
}

export interface StoreMetrics {
  /**
   * Where the state of the database is learnt from, at a rendering. Every worker shows the same numbers: a rule takes the
   * maximum over them, not the sum. Absent while the database does not answer.
   */
  watchStore(look: () => Promise<StoreState>): void;
}

/** A look is kept this long: scrapers that come together share one. */
const KEEP_MS = 5_000;

/** `refresh` looks again, if the last look is old; it never rejects. */
export function storeMetrics(
  registry: Registry,
  now: () => number = () => performance.now(),
): { readonly metrics: StoreMetrics; readonly refresh: () => Promise<void> } {
  const outbox = waitingGauges(
    registry,
    { count: 'holdfast_outbox_pending', age: 'holdfast_outbox_oldest_age_seconds' },
    'Jobs not sent to the queue yet',
  );
  const passes = waitingGauges(
    registry,
    { count: 'holdfast_passes_unfinished', age: 'holdfast_passes_unfinished_oldest_age_seconds' },
    'Passes without an outcome',
  );
  const deliveries = waitingGauges(
    registry,
    { count: 'holdfast_alert_deliveries_pending', age: 'holdfast_alert_deliveries_oldest_pending_age_seconds' },
    'Alert deliveries that are owed',
  );
  const refusalsOpen = absentGauges(
    registry,
    'holdfast_refusals_open',
    'Refusals that nobody has resolved, equal ones of an agent counted once',
    ['severity'],
  );
  const refusalsAge = absentGauges(
    registry,
    'holdfast_refusal_oldest_age_seconds',
    'Age of the oldest refusal that nobody has resolved; 0 when there is none',
    ['severity'],
  );

  const show = (state: StoreState | undefined): void => {
    outbox(state?.outbox);
    passes(state?.unfinishedPasses);
    deliveries(state?.pendingDeliveries);
    const severities = state === undefined ? [] : OPEN_SEVERITIES;
    const open = severities.map((severity) => [{ severity }, state?.openRefusals[severity]] as const);
    refusalsOpen(open.map(([labels, waiting]) => [labels, waiting?.count ?? 0]));
    refusalsAge(open.map(([labels, waiting]) => [labels, waiting?.oldestAgeSeconds ?? 0]));
  };

  let look: (() => Promise<StoreState>) | undefined;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let underWay: Promise<void> | undefined;
  const lookAgain = async (): Promise<void> => {
    const state = await look?.().catch(() => undefined);
    show(state);
    if (state !== undefined) lookedAt = now();
  };
  return {
    metrics: {
      watchStore(given) {
        look = given;
        lookedAt = Number.NEGATIVE_INFINITY;
      },
    },
    async refresh() {
      if (look === undefined || now() - lookedAt < KEEP_MS) return;
      underWay ??= lookAgain().finally(() => (underWay = undefined));
      await underWay;
    },
  };
}

function waitingGauges(
  registry: Registry,
  names: { readonly count: string; readonly age: string },
  what: string,
): (waiting: Waiting | undefined) => void {
  const count = absentGauge(registry, names.count, what);
  const age = absentGauge(registry, names.age, `${what}: age of the oldest; 0 when there is none`);
  return (waiting) => {
    count(waiting?.count);
    age(waiting?.oldestAgeSeconds);
  };
}
