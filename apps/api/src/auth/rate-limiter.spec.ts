import { RateLimiter } from './rate-limiter';

describe('the bucket of a key', () => {
  it('gives a burst, then as much as flows in', () => {
    const limiter = new RateLimiter({ perSecond: 10, burst: 3 });
    const allowed = [0, 0, 0, 0, 50, 100, 150].map((nowMs) => limiter.take('a', nowMs).allowed);
    expect(allowed).toEqual([true, true, true, false, false, true, false]);
  });

  it('says how many are left, and when there is one more', () => {
    const limiter = new RateLimiter({ perSecond: 2, burst: 2 });
    expect(limiter.take('a', 0)).toEqual({ allowed: true, remaining: 1, retryAfterMs: 0, resetMs: 500 });
    expect(limiter.take('a', 0)).toMatchObject({ allowed: true, remaining: 0 });
    expect(limiter.take('a', 100)).toMatchObject({ allowed: false, remaining: 0, retryAfterMs: 400 });
    expect(limiter.take('a', 500)).toMatchObject({ allowed: true });
  });

  it('holds no more than a burst, and nobody uses that of another', () => {
    const limiter = new RateLimiter({ perSecond: 1_000, burst: 1 });
    expect(limiter.take('a', 0).allowed).toBe(true);
    expect(limiter.take('a', 1_000_000).allowed).toBe(true);
    expect(limiter.take('a', 1_000_000).allowed).toBe(false);
    expect(limiter.take('b', 1_000_000).allowed).toBe(true);
  });
});
