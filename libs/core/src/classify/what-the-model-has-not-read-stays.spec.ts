import { chatCall, classifyWindow } from '../../test/classify-window';

const contracts = { get: { effect: 'read' } } as const;

it('a result after its last word, and a call without one', () => {
  const unread = classifyWindow(
    'openai-chat',
    { messages: [{ role: 'user', content: 'Look.' }, ...chatCall('get', { id: 1 }, 'fresh')] },
    { contracts },
  );
  expect(unread.showing('fresh')).toMatchObject({
    view: 'authoritative',
    rule: 'unread_result',
    leavesBehindHandle: false,
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
