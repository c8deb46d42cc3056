import { classifyWindow } from '../../test/classify-window';

const thinking = (text: string): object => ({ type: 'thinking', thinking: text, signature: 'c2ln' });
const use = (id: string): object => ({ type: 'tool_use', id, name: 'look', input: {} });
const result = (id: string): object => ({
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: id, content: 'ok' }],
});

it('leaves whole once a person spoke after it', () => {
  const { elements } = classifyWindow('anthropic', {
    messages: [
      { role: 'user', content: 'Look.' },
      { role: 'assistant', content: [thinking('old'), use('a')] },
      result('a'),
      { role: 'assistant', content: [{ type: 'text', text: 'Looked.' }] },
      { role: 'user', content: 'Again.' },
      { role: 'assistant', content: [thinking('new'), use('b')] },
      result('b'),
    ],
  });
  const blocks = elements.filter(({ element }) => element.kind === 'reasoning');
  expect(blocks.map(({ rule, view }) => [rule, view])).toEqual([
    ['reasoning_finished', 'disposable'],
    ['reasoning_open', 'authoritative'],
  ]);
});
