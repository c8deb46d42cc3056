import { classifyWindow } from '../../test/classify-window';

function recordsOf(...said: readonly string[]): readonly (readonly [string, string | undefined])[] {
  const messages = said.flatMap((content) => [
    { role: 'user', content },
    { role: 'assistant', content: 'Understood.' },
  ]);
  const { records } = classifyWindow('openai-chat', { messages });
  const byDigest = new Map(records.map(({ digest, content }) => [digest, content]));
  return records
    .filter(({ kind }) => kind === 'constraint')
    .map(({ content, supersedes }) => [content, byDigest.get(supersedes ?? '')]);
}

it.each([
  ['List all prices in EUR, always.', 'Change of plan: from now on all prices in SEK, not EUR.'],
  ['Never deploy to production before the review.', 'Deploy to production no longer needs to wait for the review.'],
  ['Alle Preise immer in EUR angeben.', 'Ab jetzt alle Preise in SEK statt EUR angeben.'],
  ['Il faut toujours afficher les prix en EUR.', 'Désormais, il faut afficher les prix en SEK et non en EUR.'],
  ['Siempre muestra los precios en EUR.', 'A partir de ahora muestra los precios en SEK.'],
  ['所有价格必须以欧元显示。', '从现在起所有价格以克朗显示，不再用欧元。'],
])('replaces its record, and both stay: %s', (older, newer) => {
  expect(recordsOf(older, newer)).toEqual([
    [older, undefined],
    [newer, older],
  ]);
});

it.each([
  ['Never touch the billing tables.', 'From now on run the tests before each commit.'],
  ['Only use the staging database.', 'Only use tabs in the Makefile.'],
  ['All prices in EUR only. Never mail a customer yourself.', 'From now on all prices in SEK, not EUR.'],
])('leaves rules of another subject, and those that say more, in force: %s', (older, newer) => {
  expect(recordsOf(older, newer)).toEqual([
    [older, undefined],
    [newer, undefined],
  ]);
});

it.each(['Nie auf Prod.', 'Jamais en prod.', 'Nunca en producción.', '不要改生产库'])(
  'knows a short rule: %s',
  (rule) => {
    expect(recordsOf(rule)).toEqual([[rule, undefined]]);
  },
);
