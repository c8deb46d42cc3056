import { compactionSchema, driftIncidentPageSchema, recordPageSchema } from '@holdfast/contracts';
import type { z } from 'zod';
import { read, send, shortProblem } from '../../test/client';
import { runPass } from '../../test/one-pass';
import { ORDER_CONTRACTS, orderWindow } from '../../test/order-window';
import { type ApiUnderTest, startApiUnderTest } from '../../test/running-api';

interface Message {
  readonly role: string;
  readonly content: unknown;
}

let under: ApiUnderTest;

beforeAll(async () => {
  under = await startApiUnderTest();
  const body = JSON.stringify({ mode: 'enforce', recall: 'tool', tool_contracts: ORDER_CONTRACTS });
  await send(under.url, 'PUT', '/v1/agents/bot', { key: under.acme.key, body });
});

afterAll(() => under.close());

async function compacted(session: string, window: string, budget: number): Promise<z.infer<typeof compactionSchema>> {
  const body = `{"agent":"bot","session":"${session}","budget_tokens":${String(budget)},"window":${window}}`;
  const accepted = read(
    await send(under.url, 'POST', '/v1/compactions', { key: under.acme.key, body }),
    compactionSchema,
    202,
  );
  await runPass(under.database, accepted.id);
  const path = `/v1/compactions/${accepted.id}?include=window`;
  return read(await send(under.url, 'GET', path, { key: under.acme.key }), compactionSchema);
}

async function incidents(query: string, key = under.acme.key) {
  return read(await send(under.url, 'GET', `/v1/drift-incidents${query}`, { key }), driftIncidentPageSchema).items;
}

it('reports what somebody took out of a window, puts the mark back, and shows it to nobody else', async () => {
  const first = await compacted('changed', orderWindow(30), 4_000);
  expect(await incidents(`?compaction=${first.id}`)).toEqual([]);
  const messages = first.window as readonly Message[];
  const marked = messages.findIndex(({ role, content }) => role === 'assistant' && /recall h_/u.test(String(content)));
  const handle = /recall (h_[0-9a-z]+)/u.exec(String(messages[marked]?.content))?.[1] ?? '';
  expect(handle).not.toBe('');

  const changed = JSON.stringify(messages.toSpliced(marked, 1));
  const second = await compacted('changed', changed, 3_500);
  const [incident] = await incidents(`?agent=bot&compaction=${second.id}`);
  expect(second.drift_incidents).toContainEqual(incident);
  expect(incident).toMatchObject({
    agent: 'bot',
    compaction_id: second.id,
    kind: 'tombstone_missing',
    severity: 'error',
    expected: `[recall ${handle}]`,
    observed: null,
  });
  const records = await send(under.url, 'GET', '/v1/agents/bot/sessions/changed/records', { key: under.acme.key });
  expect(read(records, recordPageSchema).items.map(({ content }) => content)).toContain(`[recall ${handle}]`);

  expect(await incidents('', under.globex.key)).toEqual([]);
});

it('pages from the newest on, and refuses a cursor of something else', async () => {
  const all = await incidents('');
  const page = read(
    await send(under.url, 'GET', '/v1/drift-incidents?limit=1', { key: under.acme.key }),
    driftIncidentPageSchema,
  );
  expect(page.items).toEqual(all.slice(0, 1));
  const foreign = await send(under.url, 'GET', '/v1/drift-incidents?cursor=bm90IG9uZQ', { key: under.acme.key });
  expect(shortProblem(foreign)).toBe('422 FIELD_INVALID /cursor');
});
