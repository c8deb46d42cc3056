import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { styleFor } from './report/style';
import { runCli } from './run-cli';

async function holdfast(environment: Record<string, string>, ...args: string[]): Promise<[number, string]> {
  const lines: string[] = [];
  const print = (line: string) => void lines.push(line);
  const code = await runCli(args, { print, printError: print, style: styleFor({ isTTY: false }, {}), environment });
  return [code, lines.join('\n')];
}

it.each<[string, string[], string]>([
  ['nothing to do', ['refusals', '--key', 'k'], 'refusals takes list'],
  ['a resolution too many', ['refusals', 'resolve', 'x', '1', '2', '--key', 'k'], 'refusals takes list'],
  ['no key', ['refusals', 'list'], 'HOLDFAST_API_KEY'],
  ['an unknown option', ['refusals', 'list', '--force'], 'See "holdfast refusals --help"'],
])('%s: exit code 2', async (_, args, words) => {
  expect(await holdfast({}, ...args)).toEqual([2, expect.stringContaining(words)]);
});

const ID = '01a22feb-2940-726c-bef1-02da2b2a0d91';
const AT = '2026-12-01T04:44:32.497Z';
const GROUP = {
  ...{ id: ID, agent: 'bot', code: 'BUDGET_UNREACHABLE', cause: 'What may not leave is larger than the budget' },
  ...{ tools: ['look_up'], status: 'open', severity: 'page', assignee: null, count: 7, sessions: 2 },
  ...{ headroom_tokens: -40, first_seen_at: AT, last_seen_at: AT, acknowledged_at: null, resolved_at: null },
  ...{ resolution: null, retries_open: 0 },
  repairs: [
    { kind: 'raise_budget', budget_tokens: 900, message: 'Raise the budget by 40 tokens' },
    { kind: 'mark_element', element_id: 'e3', set: { task_critical: true }, message: 'Keep it' },
  ],
};
const EMPTY = { items: [], next: null };
const FACETS = { status: [], severity: [], code: [], agent: [], assignee: [] };

describe('an API', () => {
  const asked: { path: string; body: unknown }[] = [];
  let server: Server;
  let where: Record<string, string>;

  beforeAll(async () => {
    server = createServer((request, response) => {
      void bodyOf(request).then((body) => {
        const path = request.url ?? '';
        asked.push({ path, body });
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify(answerTo(path)));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    where = { HOLDFAST_URL: `http://127.0.0.1:${port}`, HOLDFAST_API_KEY: 'k' };
  });
  afterAll(() => void server.close());

  async function bodyOf(request: IncomingMessage): Promise<unknown> {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    return text === '' ? undefined : (JSON.parse(text) as unknown);
  }

  function answerTo(path: string): unknown {
    if (path.endsWith('/resolve')) return { refusal: { ...GROUP, retries_open: 2 }, retried: [ID], remaining: 1 };
    if (path.endsWith('/preview')) return { would_pass: false, session: 's', sessions: 2, plan: null };
    if (path.includes(ID)) return { ...GROUP, newest: null, members: EMPTY, steps: EMPTY };
    return { items: [GROUP], next: null, facets: FACETS };
  }

  it('lists refusals, filtered', async () => {
    const [code, text] = await holdfast(where, 'refusals', 'list', '--status', 'open');
    expect([code, asked.at(-1)?.path]).toEqual([0, '/v1/refusals?status=open']);
    expect(text).toContain(`${ID}  bot    open    page          7  What may not leave`);
  });

  it('shows one with its repairs, numbered', async () => {
    const [code, text] = await holdfast(where, 'refusals', 'show', ID);
    expect(code).toBe(0);
    expect(text).toContain('7 refused passes of bot in 2 sessions, headroom -40 tokens');
    expect(text).toContain('  1  raise_budget: Raise the budget by 40 tokens');
  });

  it('resolves one by the number of a repair, and by JSON', async () => {
    const [code, text] = await holdfast(where, 'refusals', 'resolve', ID, '1');
    expect([code, text]).toEqual([0, 'open: 1 passes are retried, 1 more follow.']);
    expect(asked.at(-1)?.body).toEqual({ kind: 'raise_budget', scope: 'pass', budget_tokens: 900 });
    const retry = { kind: 'retry', reason: 'it was repaired' };
    await holdfast(where, 'refusals', 'resolve', ID, JSON.stringify(retry));
    expect(asked.at(-1)?.body).toEqual(retry);
    await holdfast(where, 'refusals', 'resolve', ID, '2', '--reason', 'it matters');
    expect(asked.at(-1)?.body).toMatchObject({ kind: 'mark_element', element_id: 'e3', reason: 'it matters' });
    expect((await holdfast(where, 'refusals', 'resolve', ID, '9'))[0]).toBe(2);
  });

  it('says that a resolution would not pass with exit code 1', async () => {
    const [code, text] = await holdfast(where, 'refusals', 'preview', ID, '1');
    expect([code, text]).toEqual([1, expect.stringContaining('Would be refused again')]);
  });
});
