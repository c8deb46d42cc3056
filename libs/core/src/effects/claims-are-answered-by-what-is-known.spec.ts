import fc from 'fast-check';
import { EFFECT_STATUSES } from '../terms';
import { answerClaim, type KnownEffect } from './answer-claim';

const known = (fields: Partial<KnownEffect> = {}): KnownEffect => ({
  ...{ status: 'intended', sameParameters: true, attemptId: 'a', leaseLives: true },
  ...fields,
});

it.each([
  ['nothing is known', 'b', undefined, 'proceed'],
  ['it failed', 'b', known({ status: 'failed' }), 'proceed'],
  ['it failed with other parameters', 'b', known({ status: 'failed', sameParameters: false }), 'proceed'],
  ['it was declined', 'b', known({ status: 'declined' }), 'proceed'],
  ['it succeeded', 'b', known({ status: 'succeeded' }), 'duplicate'],
  ['it succeeded, for the same attempt', 'a', known({ status: 'succeeded' }), 'duplicate'],
  ['it succeeded with other parameters', 'b', known({ status: 'succeeded', sameParameters: false }), 'conflict'],
  ['another attempt holds it', 'b', known(), 'in_flight'],
  ['this attempt holds it', 'a', known(), 'proceed'],
  ['its lease ran out', 'b', known({ leaseLives: false }), 'reconcile'],
  ['its lease ran out, for the same attempt', 'a', known({ leaseLives: false }), 'reconcile'],
  ['nobody knows', 'b', known({ status: 'unknown', leaseLives: false }), 'reconcile'],
  ['a window showed it fired', 'b', known({ status: 'fired', attemptId: undefined, leaseLives: false }), 'reconcile'],
])('%s', (_, attempt, effect, answer) => {
  expect(answerClaim(attempt, effect).answer).toBe(answer);
});

it('tells two attempts to proceed only after the earlier one certainly applied nothing', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...EFFECT_STATUSES),
      fc.boolean(),
      fc.boolean(),
      (status, sameParameters, leaseLives) => {
        const { answer } = answerClaim('b', known({ status, sameParameters, leaseLives }));
        expect(answer === 'proceed').toBe(status === 'failed' || status === 'declined');
      },
    ),
  );
});
