import { lengthenPaths, readPathPrefix, shortenPaths } from './path-prefix';

const W = '/home/dev/projects/example.app/worktrees/streaming';

it('writes the directory that lines share as W, and reads it back', () => {
  const lines = [
    `E1 Edit | ${W}/app/a.ts | succeeded`,
    `E2 Edit | ${W}/b.ts | failed`,
    `E3 sh | cd ${W} && npm t | ok`,
  ];
  const short = shortenPaths(lines);
  expect(short).toEqual({
    definition: `W = ${W}`,
    lines: ['E1 Edit | W/app/a.ts | succeeded', 'E2 Edit | W/b.ts | failed', 'E3 sh | cd W && npm t | ok'],
  });
  const prefix = readPathPrefix(`a record\n${short.definition ?? ''}\n${short.lines.join('\n')}`);
  expect(short.lines.map((line) => lengthenPaths(line, prefix))).toEqual(lines);
});

it.each([
  ['a path that is named once', [`E1 Edit | ${W}/a.ts`]],
  ['short paths', ['E1 Edit | /etc/a.conf', 'E2 Edit | /etc/b.conf', 'E3 Edit | /etc/c.conf']],
  ['lines in which W means something', [`E1 Edit | ${W}/a.ts`, `E2 Edit | ${W}/b.ts`, `E3 sh | W ${W}/c.ts`]],
])('leaves %s alone', (_, lines) => {
  expect(shortenPaths(lines)).toEqual({ definition: undefined, lines });
});

it('does not take a longer name for the directory', () => {
  const lines = [`E1 Edit | ${W}/a.ts`, `E2 Edit | ${W}/b.ts`, `E3 Edit | ${W}-old/c.ts`, `E4 Edit | ${W}.bak`];
  const { definition, lines: short } = shortenPaths(lines);
  const prefix = readPathPrefix(definition ?? '');
  expect(short.map((line) => lengthenPaths(line, prefix))).toEqual(lines);
});
