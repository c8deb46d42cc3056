import { chatCall, classifyWindow } from '../../test/classify-window';
import type { Element } from '../window/element';

const contracts = { cancel: { effect: 'write' }, get: { effect: 'read' } } as const;
const messages = (result: string): object[] => [
  { role: 'user', content: 'Cancel.' },
  ...chatCall('cancel', { id: 'W1' }, result, 'a'),
  { role: 'assistant', content: 'Cancelled.' },
];

it('a tombstone keeps its class and leaves the ledger as it was', () => {
  const before = classifyWindow('openai-chat', { messages: messages('{"id":"W1"}') }, { contracts });
  const knownEffects = before.effects.map((effect) => ({ ...effect, ref: 'E1' }));
  const remember = (element: Element): Element =>
    element.kind === 'result' ? { ...element, settled: { operation: 'evict', handle: 'h_abc123' } } : element;
  const after = classifyWindow(
    'openai-chat',
    { messages: messages('[evicted: cancel W1, error shown there]') },
    { contracts, knownEffects, remember },
  );
  expect(after.showing('[evicted')).toMatchObject({ rule: 'settled', class: 'pin_effect' });
  expect(after.showing('[evicted').evidence).toContain('h_abc123');
  expect(after.effects[0]).toMatchObject({ status: 'succeeded', kept: ['id: W1'] });
});

it('what was rendered stays as it is and is never a person', () => {
  const remember = (element: Element): Element => (element.index === 0 ? { ...element, rendered: 'block' } : element);
  const { elements, records } = classifyWindow('openai-chat', { messages: messages('ok') }, { remember });
  expect(elements[0]).toMatchObject({ rule: 'rendered_block', view: 'authoritative' });
  expect(records).toEqual([]);
});
