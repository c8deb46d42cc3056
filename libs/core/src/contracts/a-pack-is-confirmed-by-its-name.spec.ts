import { parseJson } from '../json';
import { classifyWindow } from '../../test/classify-window';
import { lintContracts } from './lint-contracts';
import { CONTRACT_PACKS, contractsOfPack, findPack, proposePacks } from './packs';

it.each(CONTRACT_PACKS.map((pack) => [pack.name, pack] as const))(
  '%s holds no contract that is wrong',
  (_name, pack) => {
    const findings = lintContracts(parseJson(JSON.stringify(pack.contracts)));
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(pack.version).toBeGreaterThan(0);
    expect(pack.source.length).toBeGreaterThan(20);
  },
);

it('names are unique', () => {
  expect(new Set(CONTRACT_PACKS.map(({ name }) => name)).size).toBe(CONTRACT_PACKS.length);
});

it('a tool with a name of a pack is not taken for it by itself', () => {
  const call = { id: 'c', type: 'function', function: { name: 'Write', arguments: '{"file_path":"/a"}' } };
  const messages = [
    { role: 'user', content: 'Write it.' },
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: 'c', content: 'ok' },
    { role: 'assistant', content: 'Done.' },
    { role: 'user', content: 'Thanks.' },
  ];
  expect(classifyWindow('openai-chat', messages).effects).toMatchObject([{ kind: 'unproven' }]);
  const pack = findPack('claude-code');
  const contracts = pack === undefined ? {} : contractsOfPack(pack);
  expect(classifyWindow('openai-chat', messages, { contracts }).effects).toMatchObject([
    { kind: 'converging', target: '/a' },
  ]);
});

it('an agent that looks like a harness is told so', () => {
  expect(proposePacks(['Bash', 'Read', 'Edit', 'mine']).map(({ pack }) => pack.name)[0]).toBe('claude-code');
  expect(proposePacks(['mine', 'Read'])).toEqual([]);
});

it('prefixes of servers are found', () => {
  const [found] = proposePacks(['mcp__gh__issue_read', 'mcp__gh__create_issue', 'Bash']);
  expect(found).toMatchObject({ prefix: 'mcp__gh__', tools: ['mcp__gh__issue_read', 'mcp__gh__create_issue'] });
  expect(found?.pack.name).toBe('mcp-github');
  const github = findPack('mcp-github');
  expect(github === undefined ? {} : contractsOfPack(github, 'mcp__gh__')).toHaveProperty('mcp__gh__issue_read');
});
