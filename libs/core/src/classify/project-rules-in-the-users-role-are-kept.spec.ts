import { classifyWindow } from '../../test/classify-window';

it.each([
  '<project-rules>\nNever add a co-author line to commits.\n</project-rules>',
  '<system-reminder>\n# claudeMd\nContents of /repo/CLAUDE.md:\nOpen .venv before any test.\n</system-reminder>',
])('%s', (content) => {
  const { elements, records } = classifyWindow('openai-chat', {
    messages: [
      { role: 'user', content },
      { role: 'assistant', content: 'Rules loaded.' },
    ],
  });
  expect(elements[0]?.view).toBe('authoritative');
  expect(records[0]).toMatchObject({ kind: 'constraint', content });
});
