import { classifyWindow } from '../../test/classify-window';

it.each([
  ['awaiting_approval', 'awaiting_approval'],
  ['running', 'fired'],
  ['planned', 'intended'],
])('%s', (word, status) => {
  const window = classifyWindow('elements', [
    { id: 'a', content: 'x', regenerable: true, idempotent: false, action: 'pay', target: 'INV-1', status: word },
  ]);
  expect(window.elements[0]).toMatchObject({ class: 'pin_effect', view: 'authoritative', rule: 'in_flight' });
  expect(window.effects[0]).toMatchObject({ status, statusRaw: word });
});
