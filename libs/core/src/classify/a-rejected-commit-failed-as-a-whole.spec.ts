import { chatCall, classifyWindow } from '../../test/classify-window';

const contracts = { bash: { effect: 'exec' } } as const;

it.each([
  ['git commit -m "fix: x"', 'Error: hook failed', 'failed'],
  ['cd /r && git add . && git push origin main', 'error: failed to push some refs', 'failed'],
  ['git push', 'error: timed out', 'unknown'],
  ['git commit -m x && git push', 'error: rejected', 'unknown'],
  ['npm publish', 'Error: 500', 'unknown'],
  ['git commit -m "fix: x"', '[main 45ffe0a] fix: x', 'succeeded'],
])('%s: %s', (command, result, status) => {
  const { effects } = classifyWindow(
    'openai-chat',
    {
      messages: [
        { role: 'user', content: 'Go.' },
        ...chatCall('bash', { command }, result),
        { role: 'assistant', content: 'Went.' },
      ],
    },
    { contracts },
  );
  expect(effects[0]).toMatchObject({ kind: 'exec', status, target: command });
});
