import { chatCall, classifyWindow } from '../../test/classify-window';

const contracts = { get: { effect: 'read' } } as const;

it('whatever the order of its arguments; an error supersedes nothing', () => {
  const { elements } = classifyWindow(
    'openai-chat',
    {
      messages: [
        { role: 'user', content: 'Look.' },
        ...chatCall('get', { id: 'W1', deep: true }, 'first', 'a'),
        ...chatCall('get', { deep: true, id: 'W1' }, 'second', 'b'),
        ...chatCall('get', { id: 'W2' }, 'other', 'c'),
        ...chatCall('get', { id: 'W1', deep: true }, 'Error: busy', 'd'),
        { role: 'assistant', content: 'Looked.' },
      ],
    },
    { contracts },
  );
  const results = elements.filter(({ element }) => element.kind === 'result');
  expect(results.map(({ rule, supersededBy }) => [rule, supersededBy])).toEqual([
    ['superseded_read', results[1]?.element.id],
    ['contract_read', undefined],
    ['contract_read', undefined],
    ['contract_read', undefined],
  ]);
});
