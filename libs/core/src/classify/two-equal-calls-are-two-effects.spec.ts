import { chatCall, classifyWindow } from '../../test/classify-window';

it('by occurrence, though they share a call id and a key', () => {
  const { effects } = classifyWindow(
    'openai-chat',
    {
      messages: [
        { role: 'user', content: 'Push.' },
        ...chatCall('push', { branch: 'main' }, 'Error: rejected', 'same'),
        ...chatCall('push', { branch: 'main' }, 'ok', 'same2'),
        { role: 'assistant', content: 'Pushed.' },
      ],
    },
    {
      contracts: {
        push: { effect: 'write', key: ['$.branch'], outcome: { failed_when: [{ prefix: 'Error' }], atomic: true } },
      },
    },
  );
  expect(effects.map(({ status }) => status)).toEqual(['failed', 'succeeded']);
  expect(new Set(effects.map(({ occurrence }) => occurrence)).size).toBe(2);
  expect(new Set(effects.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
});
