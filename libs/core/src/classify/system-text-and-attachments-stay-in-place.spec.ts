import { classifyWindow } from '../../test/classify-window';

it('is authoritative, and the system text is a record of the owner', () => {
  const { elements, records } = classifyWindow('openai-chat', {
    messages: [
      { role: 'system', content: 'You book flights.' },
      { role: 'developer', content: 'Use EUR.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look at this.' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } },
        ],
      },
    ],
  });
  expect(elements.map(({ rule, view }) => [rule, view])).toEqual([
    ['system_text', 'authoritative'],
    ['system_text', 'authoritative'],
    ['human_text', 'authoritative'],
    ['attachment', 'authoritative'],
  ]);
  expect(records.filter(({ trust }) => trust === 'owner').map(({ content }) => content)).toEqual([
    'You book flights.',
    'Use EUR.',
  ]);
});
