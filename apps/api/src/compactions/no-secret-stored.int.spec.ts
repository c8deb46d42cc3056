import { runPass } from '../../test/one-pass';
import { compactionSchema } from '@holdfast/contracts';
import { read, send } from '../../test/client';
import { type ApiUnderTest, startApiUnderTest } from '../../test/running-api';

const PASSWORD = 'Vintergatan-77x';
const KEY = ['tkn', 'live', 'Q7EXAMPLE4ZTR2WX'].join('_');
/** A secret by its contract alone. */
const DECLARED = 'orchid blue';
const SECRETS = [PASSWORD, KEY, DECLARED];

let under: ApiUnderTest;

beforeAll(async () => {
  under = await startApiUnderTest();
  const body = JSON.stringify({
    mode: 'enforce',
    recall: 'tool',
    policy: { aim_share: 0.2 },
    tool_contracts: { vault_read: { effect: 'read', secret: ['$.phrase'] }, cat: { effect: 'read' } },
  });
  await send(under.url, 'PUT', '/v1/agents/bot', { key: under.acme.key, body });
});

afterAll(() => under.close());

const filler = 'the quick brown fox looks at line after line of a log that says nothing new today. '.repeat(20);

function called(id: string, tool: string, args: object, result: string): readonly object[] {
  const call = { id, type: 'function', function: { name: tool, arguments: JSON.stringify(args) } };
  return [
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: id, content: result },
  ];
}

const WINDOW = JSON.stringify([
  { role: 'user', content: `My key is ${KEY}; never use role 'admin'.` },
  ...called('c1', 'cat', { f: 'job.env' }, `URL=postgresql://job:${PASSWORD}@db.internal.example:5432/jobs\n${filler}`),
  ...called('c2', 'vault_read', { path: 'kv/door' }, JSON.stringify({ phrase: DECLARED, note: filler })),
  ...called('c3', 'shell', { command: `psql postgresql://job:${PASSWORD}@db.internal.example -c 'vacuum'` }, filler),
  ...called('c4', 'open_door', { door: `front, ${DECLARED}`, token: KEY }, `opened with ${DECLARED}`),
  { role: 'assistant', content: `The job logs in with ${PASSWORD} because ${DECLARED} and ${KEY} expired. ${filler}` },
  { role: 'user', content: 'And now?' },
  { role: 'assistant', content: `I looked again. ${filler}` },
  { role: 'user', content: 'Go on.' },
]);

/** Every column of every table but the archive's own bytes, as text; what is packed is unpacked first. */
async function everythingStored(): Promise<ReadonlyMap<string, string>> {
  const dump = new Map<string, string>();
  await under.database.withTenant(under.acme.tenantId, async (tx) => {
    const tables = await tx.$queryRawUnsafe<{ schema: string; name: string }[]>(
      `select table_schema as schema, table_name as name from information_schema.tables
        where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
    );
    for (const { schema, name } of tables) {
      if (name === 'originals') continue;
      const rows = await tx
        .$queryRawUnsafe<object[]>(`select to_jsonb(t) as row from "${schema}"."${name}" t`)
        .catch(() => [] as object[]);
      dump.set(name, rows.map((row) => JSON.stringify(row)).join('\n'));
    }
  });
  return dump;
}

async function answerOf(path: string, accept?: string): Promise<string> {
  const headers = accept === undefined ? {} : { accept };
  return (await send(under.url, 'GET', path, { key: under.acme.key, headers })).text;
}

it.each([
  ['compacted', 2_000],
  ['refused', 40],
])('no secret in any table but the archive, in answers, jobs and logs: %s', async (outcome, budget) => {
  const session = `s-${outcome}`;
  const body = `{"agent":"bot","session":"${session}","budget_tokens":${budget},"window":${WINDOW}}`;
  const plan = await send(under.url, 'POST', '/v1/plans', { key: under.acme.key, body });
  const { id } = read(
    await send(under.url, 'POST', '/v1/compactions', { key: under.acme.key, body }),
    compactionSchema,
    202,
  );
  expect(await runPass(under.database, id)).toBe(outcome);

  const stored = await everythingStored();
  expect([...stored.keys()]).toEqual(expect.arrayContaining(['records', 'effects', 'handles', 'receipts', 'refusals']));
  expect(stored.get('effects')).toContain('[secret password #');
  const shown = [
    plan.text,
    await answerOf(`/v1/compactions/${id}?include=receipt,decisions`),
    await answerOf(`/v1/compactions/${id}/receipt`),
    await answerOf(`/v1/agents/bot/sessions/${session}/records`),
    await answerOf(`/v1/agents/bot/sessions/${session}/effects`),
    JSON.stringify(under.logged),
  ];
  const leaks = [...stored.entries(), ...shown.entries()].flatMap(([place, text]) =>
    SECRETS.filter((secret) => text.includes(secret)).map((secret) => `${place}: ${secret}`),
  );
  expect(leaks).toEqual([]);
});
