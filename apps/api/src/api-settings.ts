/** Settings of the API; an injection token too. */
export abstract class ApiSettings {
  /** Largest request body. */
  abstract readonly maxBodyBytes: number;
  abstract readonly maxElements: number;
  /** Levels of JSON in a window. */
  abstract readonly maxDepth: number;
  abstract readonly keyPepper: string;
  abstract readonly tokenizerThreads: number;
  abstract readonly version: string;
  /** True where `/metrics` has a port of its own. */
  abstract readonly metricsApart: boolean;
}
