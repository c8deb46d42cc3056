import { chatCall, classifyWindow } from '../../test/classify-window';

const WINDOW = {
  messages: [
    { role: 'user', content: 'Where is W1?' },
    ...chatCall('get_order', { id: 'W1' }, '{"id":"W1","total":12.50}', 'a'),
    ...chatCall('snapshot', {}, 'once', 'b'),
    { role: 'assistant', content: 'On its way.' },
  ],
};
const CONTRACTS = { get_order: { effect: 'read' }, snapshot: { effect: 'read', refetch: false } } as const;

it('is recoverable by calling again, and no effect', () => {
  const window = classifyWindow('openai-chat', WINDOW, { contracts: CONTRACTS, recall: 'none' });
  expect(window.showing('12.50')).toMatchObject({
    class: 'reclaim',
    view: 'recoverable',
    rule: 'contract_read',
    refetchable: true,
  });
  expect(window.effects).toEqual([]);
});

it('that cannot be repeated needs recall', () => {
  const held = classifyWindow('openai-chat', WINDOW, { contracts: CONTRACTS, recall: 'none' });
  expect(held.showing('once')).toMatchObject({ class: 'reclaim', view: 'authoritative', refetchable: false });
  const recallable = classifyWindow('openai-chat', WINDOW, { contracts: CONTRACTS });
  expect(recallable.showing('once')).toMatchObject({
    view: 'recoverable',
    leavesBehindHandle: true,
    refetchable: false,
  });
});
