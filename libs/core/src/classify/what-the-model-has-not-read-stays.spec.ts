import { chatCall, classifyWindow } from '../../test/classify-window';

const contracts = { get: { effect: 'read' } } as const;

it('a result after its last word, and a call without one', () => {
  const window = { messages: [{ role: 'user', content: 'Look.' }, ...chatCall('get', { id: 1 }, 'fresh')] };
  const recallable = classifyWindow('openai-chat', window, { contracts });
  expect(recallable.showing('fresh')).toMatchObject({
    rule: 'unread_result',
    leavesBehindHandle: true,
    lastResort: true,
  });

  const unread = classifyWindow('openai-chat', window, { contracts, recall: 'none' });
  expect(unread.showing('fresh')).toMatchObject({
    view: 'authoritative',
    rule: 'unread_result',
    leavesBehindHandle: false,
    lastResort: false,
  });

  const inFlight = classifyWindow('openai-chat', {
    messages: [{ role: 'user', content: 'Send.' }, ...chatCall('send', { to: 'bodil' }, undefined)],
  });
  expect(inFlight.showing('bodil')).toMatchObject({
    view: 'authoritative',
    rule: 'in_flight',
    leavesBehindHandle: false,
  });
  expect(inFlight.effects[0]).toMatchObject({ action: 'send', target: 'bodil', status: 'fired' });
});
