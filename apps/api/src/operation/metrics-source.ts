/** The metrics of this process; an injection token too. */
export abstract class MetricsSource {
  /** In the text format of Prometheus. */
  abstract renderMetrics(): Promise<string>;
  abstract readonly contentType: string;
}
