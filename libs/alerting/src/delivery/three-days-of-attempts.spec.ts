import fc from 'fast-check';
import { type AttemptResult, failedAttempt } from '../outbound/attempt-result';
import { afterAttempt, ATTEMPT_DELAYS_MS, mayBeSent, MOST_RETRY_AFTER_MS } from './delivery-schedule';

const DELIVERED: AttemptResult = {
  outcome: 'delivered',
  statusCode: 200,
  latencyMs: 1,
  responseExcerpt: '',
  errorClass: null,
  errorCode: null,
  detail: '',
};
const FAILED = failedAttempt({ outcome: 'retry', code: 'HTTP_SERVER_ERROR', detail: '' }, 1);
const CANCELLED = failedAttempt({ outcome: 'retry', code: 'CANCELLED', detail: '' }, 1);

it('A receiver that is down is tried ten times in 75 hours, then given up', () => {
  const waits: number[] = [];
  let decision = afterAttempt(0, FAILED, 0.5);
  while (decision.state === 'pending') {
    waits.push(decision.delayMs);
    decision = afterAttempt(decision.attempts, FAILED, 0.5);
  }
  expect(waits).toEqual(ATTEMPT_DELAYS_MS.slice(1));
  expect(decision).toEqual({ state: 'abandoned', attempts: 10 });
});

it('What can never succeed is tried once', () => {
  expect(afterAttempt(0, { ...FAILED, outcome: 'permanent' }, 0)).toEqual({ state: 'failed_permanently', attempts: 1 });
  expect(afterAttempt(3, { ...FAILED, outcome: 'gone' }, 0)).toEqual({ state: 'failed_permanently', attempts: 4 });
  expect(afterAttempt(9, DELIVERED, 0)).toEqual({ state: 'delivered', attempts: 10 });
});

it('A stopping process costs a delivery none of its attempts', () => {
  expect(afterAttempt(9, CANCELLED, 0.5)).toEqual({ state: 'pending', attempts: 9, delayMs: 0 });
});

it('For any answers the waits keep to the schedule, to the receiver’s wish and to its cap', () => {
  const random = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(fc.nat(8), random, fc.option(fc.nat(1e12)), (before, drawn, asked) => {
      const decision = afterAttempt(before, asked === null ? FAILED : { ...FAILED, retryAfterMs: asked }, drawn);
      const scheduled = ATTEMPT_DELAYS_MS[before + 1]!;
      const wish = Math.min(asked ?? 0, MOST_RETRY_AFTER_MS);
      if (decision.state !== 'pending') throw new Error('not pending');
      expect(decision.attempts).toBe(before + 1);
      expect(decision.delayMs).toBeGreaterThanOrEqual(Math.max(wish, Math.floor(scheduled * 0.8)));
      expect(decision.delayMs).toBeLessThanOrEqual(Math.max(wish, Math.ceil(scheduled * 1.2)));
    }),
  );
});

it('For any sequence of answers a delivery ends within ten counted attempts', () => {
  const outcome = fc.constantFrom('retry' as const, 'permanent' as const, 'gone' as const, 'delivered' as const);
  fc.assert(
    fc.property(fc.array(outcome, { minLength: 10, maxLength: 30 }), (outcomes) => {
      let attempts = 0;
      for (const next of outcomes) {
        const decision = afterAttempt(attempts, next === 'delivered' ? DELIVERED : { ...FAILED, outcome: next }, 0.5);
        attempts = decision.attempts;
        if (decision.state !== 'pending') return;
      }
      throw new Error('still pending');
    }),
  );
});

it('A resolve waits for the end of its trigger, whatever that is', () => {
  expect(mayBeSent('trigger', null)).toBe(true);
  expect(mayBeSent('resolve', 'pending')).toBe(false);
  expect(mayBeSent('acknowledge', 'pending')).toBe(false);
  expect(mayBeSent('resolve', 'delivered')).toBe(true);
  expect(mayBeSent('resolve', 'abandoned')).toBe(true);
  expect(mayBeSent('resolve', null)).toBe(true);
});
