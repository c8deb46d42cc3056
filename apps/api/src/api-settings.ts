import type { RateLimit } from './auth/rate-limiter';

/** Settings of the API; an injection token too. */
export abstract class ApiSettings {
  /** Largest request body. */
  abstract readonly maxBodyBytes: number;
  abstract readonly maxElements: number;
  /** Levels of JSON in a window. */
  abstract readonly maxDepth: number;
  /** Of one API key; undefined for no limit. */
  abstract readonly rateLimit: RateLimit | undefined;
  /** Most passes of one tenant that are sent to the queue at once. */
  abstract readonly tenantShare: number;
  abstract readonly keyPepper: string;
  abstract readonly tokenizerThreads: number;
  abstract readonly version: string;
  /** Where people open the dashboard. */
  abstract readonly dashboardUrl: string | undefined;
  /** True where `/metrics` has a port of its own. */
  abstract readonly metricsApart: boolean;
}
