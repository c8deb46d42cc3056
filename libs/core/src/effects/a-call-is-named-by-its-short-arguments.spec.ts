import { parseJson } from '../json';
import type { ToolContract } from '../classify/tool-contract';
import { describeArguments } from './describe-target';

const described = (args: unknown, contract?: ToolContract): string => {
  const text = JSON.stringify(args);
  return describeArguments(contract, { argumentsText: text, args: parseJson(text) });
};

it.each([
  [{ origin: 'JFK', destination: 'SFO', date: '2024-05-26' }, 'SFO JFK 2024-05-26'],
  [{ path: '/src/a.ts', offset: 720, limit: 50 }, '/src/a.ts offset=720 limit=50'],
  [{ path: '/src/a.ts', content: 'long text '.repeat(20) }, '/src/a.ts'],
  [{ api_key: 'sk-1', id: 'W1' }, 'W1'],
  [{}, ''],
])('%p', (args, expected) => {
  expect(described(args)).toBe(expected);
});

it('a command line stands alone', () => {
  expect(described({ command: 'git push', description: 'Push it' }, { effect: 'exec' })).toBe('git push');
});
