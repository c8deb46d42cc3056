import { classifyWindow } from '../../test/classify-window';
import { collectNeededValues, collectStandingValues } from './needed-values';

const { elements } = classifyWindow('openai-chat', {
  messages: [
    { role: 'user', content: 'Look at YAX4DR.' },
    {
      role: 'assistant',
      content: [
        'I have found your reservation. Here is what it holds:',
        '',
        '- Flight: HAT235 on 2024-05-18, from Boston in the morning with a stop in Orlando on the way there',
        '- Passengers: Chen Lee and Noah Hernandez, both of them adults, with one bag each',
        '',
        'That is all there is to YAX4DR. What would you like to change about it?',
      ].join('\n'),
    },
    { role: 'user', content: 'I want to upgrade to business, please.' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        {
          id: 'c1',
          type: 'function',
          function: { name: 'book', arguments: '{"reservation_id":"W8827341","flights":[{"number":"HAT290"}]}' },
        },
      ],
    },
    { role: 'tool', tool_call_id: 'c1', content: '{"payment":"credit_card_4421486"}' },
  ],
});

it('counts what a person says and what the line of a call says', () => {
  const standing = collectStandingValues(elements);
  expect(standing).toContain('YAX4DR');
  expect(standing).toContain('W8827341');
});

it('counts no text that may leave, and no result', () => {
  const standing = collectStandingValues(elements);
  for (const value of ['HAT235', '2024-05-18', 'credit_card_4421486']) expect(standing).not.toContain(value);
  expect(collectNeededValues(elements)).toContain('HAT235');
});
