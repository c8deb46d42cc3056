/** What a key may send: so many requests a second on the average, so many at once after a pause. */
export interface RateLimit {
  readonly perSecond: number;
  readonly burst: number;
}

export interface RateAnswer {
  readonly allowed: boolean;
  /** Requests that may still follow at once. */
  readonly remaining: number;
  /** Until one more may, where none may. */
  readonly retryAfterMs: number;
  /** Until as many may as ever. */
  readonly resetMs: number;
}

interface Bucket {
  readonly tokens: number;
  readonly atMs: number;
}

const REMEMBERED = 50_000;

/** A bucket of tokens for each key, in this process. */
export class RateLimiter {
  private readonly buckets = new Map<string, Bucket>();

  constructor(private readonly limit: RateLimit) {}

  /** Takes a token of this key, if there is one. */
  take(keyId: string, nowMs: number): RateAnswer {
    const { perSecond, burst } = this.limit;
    const known = this.buckets.get(keyId);
    const filled =
      known === undefined ? burst : Math.min(burst, known.tokens + ((nowMs - known.atMs) / 1_000) * perSecond);
    const allowed = filled >= 1;
    const tokens = allowed ? filled - 1 : filled;
    // Forgotten keys begin with a full bucket; nobody draws this many keys to get there.
    if (known === undefined && this.buckets.size >= REMEMBERED) this.buckets.clear();
    this.buckets.set(keyId, { tokens, atMs: nowMs });
    return {
      allowed,
      remaining: Math.floor(tokens),
      retryAfterMs: allowed ? 0 : ((1 - filled) / perSecond) * 1_000,
      resetMs: ((burst - tokens) / perSecond) * 1_000,
    };
  }
}
