import { otlpTracing } from './otlp-tracing';
import { NO_TRACING, type Tracing } from './tracing';

export interface TracingSettings {
  readonly service: string;
  readonly version: string;
  /** Base URL of a collector that speaks OTLP over HTTP; undefined switches traces off. */
  readonly endpoint: string | undefined;
}

export async function startTracing({ endpoint, service, version }: TracingSettings): Promise<Tracing> {
  return endpoint === undefined ? NO_TRACING : otlpTracing({ endpoint, service, version });
}
