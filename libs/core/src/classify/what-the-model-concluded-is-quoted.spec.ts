import { classifyWindow } from '../../test/classify-window';

function quotesIn(text: string, filler = 'x'.repeat(8000)): readonly string[] {
  const { records } = classifyWindow('openai-chat', {
    messages: [
      { role: 'user', content: `Please mend the build. ${filler}` },
      { role: 'assistant', content: text },
      { role: 'user', content: 'continue' },
    ],
  });
  return records.filter(({ trust }) => trust === 'assistant').map(({ kind, content }) => `${kind} ${content}`);
}

it('keeps stated causes, choices and rejected approaches, verbatim', () => {
  const text = [
    'Let me look at the logs. The root cause is a missing `await` in flush().',
    'I already tried pinning esbuild 0.19.2 and it broke npm ci. Now I run the tests.',
    'We decided to send the raw string. Does that work for you?',
  ].join('\n');
  expect(quotesIn(text)).toEqual([
    'resolved_ambiguity The root cause is a missing `await` in flush().',
    'resolved_ambiguity I already tried pinning esbuild 0.19.2 and it broke npm ci.',
    'resolved_ambiguity We decided to send the raw string.',
  ]);
});

it('takes no announcement, question or heading for a conclusion', () => {
  expect(quotesIn('## The root cause is\nLet me check what the root cause is. Is the root cause a lock?')).toEqual([]);
});

it('quotes little of a short window', () => {
  expect(quotesIn('The root cause is a missing `await` in flush().', '')).toEqual([]);
});
