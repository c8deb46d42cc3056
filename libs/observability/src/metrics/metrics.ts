import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { type OperatorMetrics, operatorMetrics } from './operator-metrics';
import { type PassMetrics, passMetrics } from './pass-metrics';
import { type QueueMetrics, queueMetrics } from './queue-metrics';
import { type StoreMetrics, storeMetrics } from './store-metrics';

export interface BuildIdentity {
  readonly service: string;
  readonly version: string;
  readonly commit: string;
}

/**
 * The metrics of one process. No label is a tenant, an agent, a session or an id: those belong into the database. Every
 * value of every label of a counter is there from the start, as zero, so that the first event is a rise that a rule can see.
 */
export interface Metrics extends PassMetrics, QueueMetrics, StoreMetrics, OperatorMetrics {
  /** In the text format of Prometheus; the type for the response is `contentType`. */
  renderMetrics(): Promise<string>;
  readonly contentType: string;
}

/** A registry of its own, so that tests and processes do not share one. */
export function createMetrics(build: BuildIdentity): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const queue = queueMetrics(registry);
  const store = storeMetrics(registry);
  new Gauge({
    name: 'build_info',
    help: 'Always 1; what is running',
    labelNames: ['service', 'version', 'commit'],
    registers: [registry],
  }).set({ ...build }, 1);

  return {
    ...passMetrics(registry),
    ...queue.metrics,
    ...store.metrics,
    ...operatorMetrics(registry),
    async renderMetrics() {
      await Promise.all([queue.refresh(), store.refresh()]);
      return registry.metrics();
    },
    contentType: registry.contentType,
  };
}
