import { classifyWindow } from '../../test/classify-window';

it('ledgers an action on elements of every class, with the word of the caller beside the status', () => {
  const action = { action: 'charge.create', target: 'ORD-7', idempotency_key: 'k-7' };
  const window = classifyWindow(
    'elements',
    [
      { id: 'a', content: 'one', regenerable: true, idempotent: true, ...action, status: 'done' },
      { id: 'b', content: 'two', regenerable: true, idempotent: false, ...action, status: 'error' },
      { id: 'c', content: 'three', task_critical: true, ...action, status: 'failed' },
      { id: 'd', content: 'four', ...action },
    ],
    { onAmbiguous: 'hold' },
  );
  expect(window.elements.map((element) => element.class)).toEqual([
    'reclaim',
    'pin_effect',
    'externalize',
    'ambiguous',
  ]);
  expect(window.effects.map(({ occurrence, status, statusRaw }) => [occurrence, status, statusRaw])).toEqual([
    ['a', 'succeeded', 'done'],
    ['b', 'unknown', 'error'],
    ['c', 'failed', 'failed'],
    ['d', 'fired', undefined],
  ]);
  expect(window.effects.every((effect) => effect.keySource === 'declared' && effect.idempotencyKey === 'k-7')).toBe(
    true,
  );
});
