import { parseJson } from '../json';
import type { ToolContract } from '../classify/tool-contract';
import { describeTarget, NO_TARGET } from './describe-target';

const target = (args: unknown, contract?: ToolContract): string => {
  const text = JSON.stringify(args);
  return describeTarget(contract, { argumentsText: text, args: parseJson(text) });
};

it.each([
  [{ text: 'The demo moved.', to: 'bodil' }, 'bodil'],
  [{ file: 'tide.pdf', board: 'harbour' }, 'harbour'],
  [{ old_string: 'a', file_path: '/src/a.ts' }, '/src/a.ts'],
  [{ reason: 'no longer needed', reservation_id: 'K1NW8N' }, 'K1NW8N'],
  [{ command: 'git commit -m "a\nb"' }, 'git commit -m "a …'],
  [{ year: 2025 }, '2025'],
  [{ thought: 'This is a whole sentence that nobody would call a name of something.' }, NO_TARGET],
  [{ api_key: 'sk-1234567890', name: 'hook' }, 'hook'],
  [{}, NO_TARGET],
])('%p', (args, expected) => {
  expect(target(args)).toBe(expected);
});

it('declared paths win, several are joined', () => {
  const contract: ToolContract = { effect: 'write', target: ['$.user', '$.legs[*].to', '$.legs[0].n'] };
  expect(target({ user: 'u_1', legs: [{ to: 'JFK', n: 2 }, { to: 'SFO' }] }, contract)).toBe('u_1 JFK SFO 2');
});

it('never shows a name in part', () => {
  const path = `${'a'.repeat(119)}\u{1F600}${'b'.repeat(140)}`;
  expect(target({ path })).toBe(path);
  expect(target({ path: `${'word '.repeat(50)}end` })).toMatch(/ word …$/u);
});
