import type { Metrics } from '@holdfast/observability';

/** The metrics of this process, as its controllers use them; an injection token too. */
export abstract class MetricsSource {
  abstract readonly renderMetrics: Metrics['renderMetrics'];
  abstract readonly contentType: string;
  abstract readonly countEffectAnswer: Metrics['countEffectAnswer'];
  abstract readonly countEffectEnd: Metrics['countEffectEnd'];
  abstract readonly countDriftIncidents: Metrics['countDriftIncidents'];
  abstract readonly countToolOutcome: Metrics['countToolOutcome'];
}
