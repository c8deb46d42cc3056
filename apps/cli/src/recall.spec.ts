import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { styleFor } from './report/style';
import { runCli } from './run-cli';

async function holdfast(environment: Record<string, string>, ...args: string[]): Promise<[number, string]> {
  const lines: string[] = [];
  const print = (line: string) => void lines.push(line);
  const code = await runCli(args, { print, printError: print, style: styleFor({ isTTY: false }, {}), environment });
  return [code, lines.join('\n')];
}

const WHERE = ['--agent', 'bot', '--session', 's'];

it.each<[string, string[], string]>([
  ['no handle', ['recall', ...WHERE, '--key', 'k'], 'takes one handle'],
  ['a word that is no handle', ['recall', 'W1', ...WHERE, '--key', 'k'], 'is no handle'],
  ['no session', ['recall', 'h_abcdef', '--agent', 'bot', '--key', 'k'], '--session'],
  ['no key', ['recall', 'h_abcdef', ...WHERE], 'HOLDFAST_API_KEY'],
  [
    'two parts at once',
    ['recall', 'h_abcdef', ...WHERE, '--lines', '1-2', '--query', 'x', '--key', 'k'],
    'one at a time',
  ],
  [
    'lines that are none',
    ['recall', 'h_abcdef', ...WHERE, '--lines', 'all', '--key', 'k'],
    '--lines takes two numbers',
  ],
  ['an address that is none', ['recall', 'h_abcdef', ...WHERE, '--url', 'nowhere', '--key', 'k'], 'is no address'],
])('%s: exit code 2', async (_, args, words) => {
  expect(await holdfast({}, ...args)).toEqual([2, expect.stringContaining(words)]);
});

describe('a server', () => {
  let server: Server;
  let url: string;
  beforeAll(async () => {
    server = createServer((_, response) => response.end('<html>'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => void server.close());

  it('that is no API of Holdfast, the address from the environment', async () => {
    const answer = await holdfast({ HOLDFAST_URL: url, HOLDFAST_API_KEY: 'k' }, 'recall', 'h_abcdef', ...WHERE);
    expect(answer).toEqual([1, expect.stringContaining('answered 200, and not as an API of Holdfast')]);
  });

  it('that is not there', async () => {
    const gone = createServer();
    await new Promise<void>((resolve) => gone.listen(0, '127.0.0.1', resolve));
    const { port } = gone.address() as AddressInfo;
    await new Promise<void>((resolve) => gone.close(() => resolve()));
    const args = ['recall', 'h_abcdef', ...WHERE, '--url', `http://127.0.0.1:${port}`, '--key', 'k'];
    expect(await holdfast({}, ...args)).toEqual([1, expect.stringContaining('Is it running?')]);
  });
});
