import { chatCall, classifyWindow } from '../../test/classify-window';

const WINDOW = {
  messages: [
    { role: 'user', content: 'Cancel it.' },
    ...chatCall('cancel', { reservation_id: 'K1NW8N' }, '{"reservation_id":"K1NW8N","status":"cancelled"}'),
    { role: 'assistant', content: 'Cancelled.' },
  ],
};
const contracts = { cancel: { effect: 'write', key: ['$.reservation_id'], target: ['$.reservation_id'] } } as const;

it('the call stays until its unit is folded; the result goes behind a handle', () => {
  const window = classifyWindow('openai-chat', WINDOW, { contracts });
  const [call, result] = window.elements.filter(({ element }) => element.kind !== 'text');
  expect(call).toMatchObject({
    class: 'pin_effect',
    view: 'authoritative',
    leavesBehindHandle: true,
    rule: 'contract_write',
  });
  expect(result).toMatchObject({
    class: 'pin_effect',
    view: 'recoverable',
    leavesBehindHandle: true,
    refetchable: false,
  });
  expect(window.effects).toEqual([
    expect.objectContaining({
      occurrence: call?.element.id,
      action: 'cancel',
      target: 'K1NW8N',
      kind: 'write',
      status: 'succeeded',
      keySource: 'derived',
      idempotencyKey: expect.stringMatching(/^[0-9a-f]{64}$/),
      kept: ['reservation_id: K1NW8N', 'status: cancelled'],
    }),
  ]);
});

it('without recall the result is held', () => {
  const window = classifyWindow('openai-chat', WINDOW, { contracts, recall: 'none' });
  expect(window.showing('cancelled"')).toMatchObject({ view: 'authoritative', class: 'pin_effect' });
});
