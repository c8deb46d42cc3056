import { classifyWindow } from '../../test/classify-window';

it('names the missing field and ledgers nothing for it', () => {
  const window = classifyWindow('elements', [
    { id: 'a', content: 'sent', regenerable: true, idempotent: false, action: 'mail.send' },
    { id: 'b', content: 'sent', regenerable: true, idempotent: false },
  ]);
  expect(window.elements.map(({ rule }) => rule)).toEqual(['effect_incomplete', 'effect_incomplete']);
  expect(window.elements[0]?.evidence).toContain('without target');
  expect(window.elements[1]?.evidence).toContain('without action and target');
  expect(window.elements.every(({ view, leavesBehindHandle }) => view === 'authoritative' && !leavesBehindHandle)).toBe(
    true,
  );
  expect(window.effects).toEqual([]);
});
