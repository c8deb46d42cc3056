import { classifyWindow } from '../../test/classify-window';

it('keeps the whole text as stated, white space and all', () => {
  const rule = '  Never touch `prod`.\n\n\tAnd keep 118,000 rows \u2013 not "about 120k". ';
  const { elements, records } = classifyWindow('openai-chat', {
    messages: [
      { role: 'user', content: rule },
      { role: 'assistant', content: 'Understood.' },
      { role: 'user', content: 'continue' },
    ],
  });
  expect(elements.map((element) => element.rule)).toEqual(['human_text', 'assistant_text', 'human_text']);
  expect(records).toEqual([
    expect.objectContaining({ elementId: 'e1', kind: 'constraint', content: rule, trust: 'human' }),
  ]);
});
