import { classifyWindow } from '../../test/classify-window';

it('pins where either source says effect, and shows the conflict', () => {
  const { elements, notices } = classifyWindow(
    'elements',
    [
      { id: 'a', content: 'x', regenerable: true, idempotent: true, action: 'charge', target: 'ORD-1' },
      { id: 'b', content: 'x', regenerable: true, idempotent: false, action: 'look', target: 'ORD-1' },
    ],
    { contracts: { charge: { effect: 'write' }, look: { effect: 'read' } } },
  );
  expect(elements.map((element) => element.class)).toEqual(['pin_effect', 'pin_effect']);
  expect(elements[0]?.conflict).toContain('declares charge as write');
  expect(notices.map(({ code }) => code)).toEqual(['SOURCES_DISAGREE', 'SOURCES_DISAGREE']);
});
