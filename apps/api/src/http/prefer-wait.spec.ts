import { preferredWaitMs } from './prefer-wait';

describe('Prefer: wait', () => {
  it.each([
    [undefined, 0],
    ['', 0],
    ['wait=5', 5_000],
    ['respond-async, wait=10', 10_000],
    ['wait="7"; foo=bar', 7_000],
    ['Wait = 3', 3_000],
    ['wait=600', 60_000],
    ['wait=-1', 0],
    ['wait=abc', 0],
    ['await=5', 0],
  ])('%p waits %i ms', (header, waitMs) => {
    expect(preferredWaitMs(header)).toBe(waitMs);
  });
});
