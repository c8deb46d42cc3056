import fc from 'fast-check';
import { sealText, unsealText } from '../seal';
import { acceptSummary } from './accept-summary';
import { extractiveSummarizer } from './extractive';

async function summaryOf(text: string, maxTokens: number): Promise<string> {
  const sealed = sealText(text);
  const request = { elements: [{ id: 'e1', text: sealed.text }], maxTokens, feedback: undefined };
  const verdict = acceptSummary(request, await extractiveSummarizer.summarize(request));
  if (verdict.kind === 'rejected') return `rejected: ${verdict.reason}`;
  const opened = unsealText(sealed, verdict.text);
  return opened.kind === 'ok' ? opened.text : `altered: ${opened.reason}`;
}

describe('extractiveSummarizer', () => {
  it('keeps findings, rejected approaches and decisions, and drops announcements and code', async () => {
    const text = [
      'Great! Let me look at the workflow first.',
      'The build fails because line 18 of .lefthook.yml rejects node_modules/@prisma. I already tried --no-verify and it broke npm ci.',
      '```ts',
      'const secretCode = 1;',
      '```',
      "I'll use the `exclude` list instead of patching the hook. Let me check the file:",
    ].join('\n');
    expect((await summaryOf(text, 60)).split('\n')).toEqual([
      'The build fails because line 18 of .lefthook.yml rejects node_modules/@prisma.',
      'I already tried --no-verify and it broke npm ci.',
      "I'll use the `exclude` list instead of patching the hook.",
    ]);
  });

  it('keeps the line that names a list item', async () => {
    const text =
      'Sure! Happy to help.\n\n- **Payment:**\n  - Certificate 7504069: $250\n  - Credit card ending in 7447: $55\n\nLet me know if you need anything else!';
    expect((await summaryOf(text, 30)).split('\n')).toEqual([
      '- **Payment:**',
      '- Certificate 7504069: $250',
      '- Credit card ending in 7447: $55',
    ]);
  });

  it('keeps what a pronoun stands for beside it, as far as there is room', async () => {
    const text =
      'The weather service was asked twice today. The lock file is stale. It failed because the holder crashed on host-17.';
    expect(await summaryOf(text, 25)).toBe('The lock file is stale.\nIt failed because the holder crashed on host-17.');
    expect(await summaryOf(text, 14)).toBe('It failed because the holder crashed on host-17.');
  });

  it('leaves lone tags and quoted code out', async () => {
    const text = '<thinking>\nThe cause is line 18.\n</thinking>\n> ```bash\n> rm a.lock # must fail\n> ```';
    expect(await summaryOf(text, 60)).toBe('The cause is line 18.');
  });

  it.each([
    [
      '让我看一下。构建失败，因为缺少 node_modules/@prisma。今天天气很好。',
      '构建失败，因为缺少 node_modules/@prisma。',
    ],
    ['まず確認します。ビルドはロックが原因で失敗しました。天気がいいですね。', 'ビルドはロックが原因で失敗しました。'],
    [
      'Ich werde nachsehen. Der Lauf bricht ab, weil Port 5432 belegt ist. Schön.',
      'Der Lauf bricht ab, weil Port 5432 belegt ist.',
    ],
    [
      'Je vais regarder. Le port 5432 est pris, à cause du vieux serveur. Voilà.',
      'Le port 5432 est pris, à cause du vieux serveur.',
    ],
  ])('picks sentences of other languages: %s', async (text, expected) => {
    expect(await summaryOf(text, 30)).toBe(expected);
  });

  it('says something even where nothing stands out', async () => {
    expect(await summaryOf('Let me have a look. And then another one, and another one after that.', 5)).not.toBe('');
  });

  it('rejects texts without words', async () => {
    const answer = await extractiveSummarizer.summarize({
      elements: [{ id: 'e1', text: ' \n ' }],
      maxTokens: 9,
      feedback: undefined,
    });
    expect(answer.kind).toBe('rejected');
  });

  it('quotes only: every line stands in the source and unseals', async () => {
    const sentence = fc.constantFrom(
      'The cause is a stale lock in /var/run/app.pid.',
      'It costs $1,625.50, e.g. for 3 nights.',
      '- item W2378156 failed because of 😀',
      '1. Fixed `ChartData`: see src/a.ts:12',
      '## Result',
      'Let me check.',
      '\ud83d is broken',
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(sentence, fc.string({ unit: 'binary' })), { minLength: 1 }),
        fc.constantFrom(' ', '\n'),
        fc.integer({ min: 5, max: 80 }),
        async (sentences, separator, maxTokens) => {
          const text = sentences.join(separator);
          const sealed = sealText(text);
          const answer = await extractiveSummarizer.summarize({
            elements: [{ id: 'e1', text: sealed.text }],
            maxTokens,
            feedback: undefined,
          });
          if (answer.kind === 'rejected') return;
          for (const line of answer.text.split('\n')) expect(sealed.text).toContain(line.replace(/ …$/, ''));
          expect(unsealText(sealed, answer.text).kind).toBe('ok');
        },
      ),
    );
  });

  it.each(['. ', '.', 'a. B', '* ', '# ', '- a:\n', 'let me ', '1) '])(
    'gets through 200,000 times %j',
    async (piece) => {
      const request = { elements: [{ id: 'e1', text: piece.repeat(200_000) }], maxTokens: 50, feedback: undefined };
      await expect(extractiveSummarizer.summarize(request)).resolves.toBeDefined();
    },
  );
});
