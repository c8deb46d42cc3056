import { chatCall, classifyWindow } from '../../test/classify-window';

it('a call of the recall tool is a read, without any contract', () => {
  const window = classifyWindow('openai-chat', [
    { role: 'user', content: 'What did the log say?' },
    ...chatCall('holdfast_recall', { handle: 'h_2f6kq8wzab' }, 'line one\nline two'),
    { role: 'assistant', content: 'It said nothing new.' },
  ]);
  expect(window.showing('line one').rule).toBe('contract_read');
  expect(window.effects).toEqual([]);
});
