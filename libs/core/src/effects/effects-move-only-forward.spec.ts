import type { EffectDraft } from '../ports';
import { EFFECT_STATUSES, type EffectStatus } from '../terms';
import { isClosedStatus, mergeEffect } from './merge-effect';

function effect(status: EffectStatus, evidence: string): EffectDraft {
  return {
    occurrence: 'e1',
    action: 'pay',
    target: 'W1',
    kind: 'write',
    idempotencyKey: undefined,
    keySource: 'none',
    argumentsDigest: 'd',
    status,
    statusRaw: undefined,
    evidence,
    kept: [evidence],
  };
}

const PAIRS = EFFECT_STATUSES.flatMap((known) => EFFECT_STATUSES.map((draft) => [known, draft] as const));

it.each(PAIRS)('%s, then %s', (known, draft) => {
  const merged = mergeEffect(effect(known, 'old'), effect(draft, 'new'));
  if (isClosedStatus(known)) expect(merged).toEqual(effect(known, 'old'));
  if (!isClosedStatus(known) && isClosedStatus(draft)) expect(merged).toEqual(effect(draft, 'new'));
});

it('a window that shows less takes nothing back', () => {
  expect(mergeEffect(effect('unknown', 'old'), effect('fired', 'new')).status).toBe('unknown');
  expect(mergeEffect(effect('fired', 'old'), effect('unknown', 'new'))).toMatchObject({
    status: 'unknown',
    evidence: 'new',
  });
});
