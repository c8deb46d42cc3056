import { classifyWindow } from '../../test/classify-window';

const PROPOSAL = 'I can cancel K1NW8N and book HAT136 for $152. Shall I proceed?';

it.each([
  ['accepts', 'approval', 'Yes, please proceed.'],
  ['declines', 'approval', "No, don't."],
  ['answers', 'resolved_ambiguity', 'The staging one, and at most 2 bags.'],
] as const)('%s', (verb, kind, answer) => {
  const { elements, records } = classifyWindow('openai-chat', {
    messages: [
      { role: 'user', content: 'Fix my trip.' },
      { role: 'assistant', content: PROPOSAL },
      { role: 'user', content: answer },
    ],
  });
  expect(elements.slice(1).map(({ rule, view }) => [rule, view])).toEqual([
    ['proposal_answered', 'authoritative'],
    ['proposal_answered', 'authoritative'],
  ]);
  const record = records.find((candidate) => candidate.kind === kind);
  expect(record).toMatchObject({ elementId: 'e3', content: answer, trust: 'human' });
  expect(record?.label).toContain(`${verb} the assistant's message that begins "I can cancel K1NW8N`);
});

it('a polite closing question asks for nothing', () => {
  const { elements } = classifyWindow('openai-chat', {
    messages: [
      { role: 'assistant', content: 'Done. Is there anything else I can help you with?' },
      { role: 'user', content: 'No, thanks.' },
    ].toSpliced(0, 0, { role: 'user', content: 'Fix my trip.' }),
  });
  expect(elements[1]?.rule).toBe('assistant_text');
});

it('an answer after a tool call answers the call, not the words before it', () => {
  const { elements } = classifyWindow('openai-chat', {
    messages: [
      { role: 'user', content: 'Fix my trip.' },
      {
        role: 'assistant',
        content: 'Should I look? I do.',
        tool_calls: [{ id: 'c', type: 'function', function: { name: 'look', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'c', content: 'ok' },
      { role: 'user', content: 'yes' },
    ],
  });
  expect(elements[1]?.rule).toBe('assistant_text');
});
