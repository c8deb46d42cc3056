import { chatCall, classifyWindow } from '../../test/classify-window';

it('keeps one result for each tool', () => {
  const { elements } = classifyWindow(
    'openai-chat',
    {
      messages: [
        { role: 'user', content: 'Browse.' },
        ...chatCall('browser', { go: 'a' }, 'page a', 'a'),
        ...chatCall('browser', { go: 'b' }, 'page b', 'b'),
        { role: 'assistant', content: 'Seen.' },
      ],
    },
    { contracts: { browser: { effect: 'read', stateful: true } } },
  );
  const results = elements.filter(({ element }) => element.kind === 'result');
  expect(results.map(({ rule, view }) => [rule, view])).toEqual([
    ['contract_read', 'recoverable'],
    ['newest_state', 'authoritative'],
  ]);
});
