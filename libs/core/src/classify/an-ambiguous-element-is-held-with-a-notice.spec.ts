import { classifyWindow } from '../../test/classify-window';

const WINDOW = [{ id: 'a', content: 'who knows', regenerable: false, idempotent: true }];

it('stays verbatim either way, and says so where it is held', () => {
  const held = classifyWindow('elements', WINDOW, { onAmbiguous: 'hold' });
  expect(held.elements[0]).toMatchObject({ class: 'ambiguous', view: 'authoritative', leavesBehindHandle: false });
  expect(held.notices).toEqual([expect.objectContaining({ code: 'AMBIGUOUS_HELD', elementId: 'a' })]);
  const refused = classifyWindow('elements', WINDOW, { onAmbiguous: 'refuse' });
  expect(refused.elements[0]?.class).toBe('ambiguous');
  expect(refused.notices).toEqual([]);
});
