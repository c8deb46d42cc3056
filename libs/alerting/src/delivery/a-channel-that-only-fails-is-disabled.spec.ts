import { type AttemptResult, failedAttempt } from '../outbound/attempt-result';
import { breakerVerdict, type ChannelHealth, healthAfter, UNTRIED_CHANNEL } from './breaker';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const FAILED = failedAttempt({ outcome: 'retry', code: 'CONNECTION_REFUSED', detail: '' }, 1);
const GONE = failedAttempt({ outcome: 'gone', code: 'HTTP_GONE', detail: '' }, 1);
const LIMITED = failedAttempt({ outcome: 'retry', code: 'HTTP_RATE_LIMITED', detail: '' }, 1);
const DELIVERED: AttemptResult = {
  outcome: 'delivered',
  latencyMs: 1,
  responseExcerpt: '',
  errorClass: null,
  errorCode: null,
  detail: '',
};

/** One attempt after the other; the verdict is that after the last. */
function afterAll(attempts: readonly (readonly [AttemptResult, number])[]) {
  let health: ChannelHealth = UNTRIED_CHANNEL;
  let verdict = breakerVerdict(health, DELIVERED, 0);
  for (const [result, at] of attempts) {
    health = healthAfter(health, result, at);
    verdict = breakerVerdict(health, result, at);
  }
  return { health, verdict };
}

const failuresAt = (...times: number[]) => times.map((at) => [FAILED, at] as const);

it('410 disables at once, and says why', () => {
  expect(afterAll([[GONE, 0]]).verdict).toMatchObject({ state: 'disabled', reason: 'gone' });
});

it('Five days of only failures disable, not an hour less', () => {
  const begun = failuresAt(0, HOUR, DAY, 2 * DAY, 3 * DAY);
  expect(afterAll([...begun, ...failuresAt(5 * DAY - HOUR)]).verdict).toEqual({ state: 'active' });
  expect(afterAll([...begun, ...failuresAt(5 * DAY)]).verdict).toEqual({
    state: 'disabled',
    reason: 'failing',
    detail: 'Nothing was delivered for 5 days: 6 attempts failed in a row.',
  });
});

it('One success starts the days anew', () => {
  const { health, verdict } = afterAll([
    ...failuresAt(0, DAY, 2 * DAY),
    [DELIVERED, 3 * DAY],
    ...failuresAt(4 * DAY, 5 * DAY, 6 * DAY),
  ]);
  expect(verdict).toEqual({ state: 'active' });
  expect(health).toEqual({ failingSince: 4 * DAY, failuresInRow: 3, lastSuccessAt: 3 * DAY });
});

it('A channel that is hardly used is not disabled for a few bad days far apart', () => {
  expect(afterAll(failuresAt(0, 30 * DAY, 60 * DAY)).verdict).toEqual({ state: 'active' });
});

it('A receiver that asks for patience is alive', () => {
  const limited = [0, 1, 2, 3, 4, 5, 6].map((day) => [LIMITED, day * DAY] as const);
  expect(afterAll(limited)).toEqual({ health: UNTRIED_CHANNEL, verdict: { state: 'active' } });
});
