import { createHash } from 'node:crypto';
import {
  compactionSchema,
  effectPageSchema,
  planSchema,
  recalledTextSchema,
  recallMatchesSchema,
  receiptSchema,
  recordPageSchema,
  restoredSchema,
  sessionPageSchema,
  windowPageSchema,
} from '@holdfast/contracts';
import { receiptHash, sha256Hex, shownHandles } from '@holdfast/core';
import type { z } from 'zod';
import { read, send, shortProblem } from '../../test/client';
import { runPass } from '../../test/one-pass';
import { ODD_TEXT, ORDER_CONTRACTS, orderText, orderWindow } from '../../test/order-window';
import { type ApiUnderTest, startApiUnderTest } from '../../test/running-api';

type Compaction = z.infer<typeof compactionSchema>;

function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

let under: ApiUnderTest;
const WINDOW = orderWindow(30);

beforeAll(async () => {
  under = await startApiUnderTest();
  await putAgent('bot', { mode: 'enforce', recall: 'tool' });
  await putAgent('watched', { mode: 'observe', recall: 'none' });
});

afterAll(() => under.close());

async function putAgent(agent: string, settings: object): Promise<void> {
  const body = JSON.stringify({ ...settings, tool_contracts: ORDER_CONTRACTS });
  const answer = await send(under.url, 'PUT', `/v1/agents/${agent}`, { key: under.acme.key, body });
  expect(answer.status).toBeLessThan(300);
}

function get(path: string, headers: Record<string, string> = {}) {
  return send(under.url, 'GET', path, { key: under.acme.key, headers });
}

function bodyOf(agent: string, session: string, budget: number, window = WINDOW): string {
  return `{"agent":"${agent}","session":"${session}","budget_tokens":${budget},"window":${window}}`;
}

async function finish(agent: string, session: string, budget: number): Promise<Compaction> {
  const body = bodyOf(agent, session, budget);
  const accepted = await send(under.url, 'POST', '/v1/compactions', { key: under.acme.key, body });
  const { id } = read(accepted, compactionSchema, 202);
  await runPass(under.database, id);
  return read(await get(`/v1/compactions/${id}`), compactionSchema);
}

/** What a mark brings back: a result's text, or the messages that a segment stands for, as their source. */
function contentsOf(original: string): readonly string[] {
  if (!original.startsWith('{"role"')) return [original];
  const messages = JSON.parse(`[${original}]`) as readonly { readonly content: unknown }[];
  return messages.flatMap(({ content }) => (typeof content === 'string' ? [content] : []));
}

describe('a compacted window', () => {
  let done: Compaction;
  const session = '/v1/agents/bot/sessions/orders';

  beforeAll(async () => {
    done = await finish('bot', 'orders', 4_000);
  });

  it('comes with its account', () => {
    expect(done).toMatchObject({
      status: 'finished',
      phase: 'finished',
      outcome: 'compacted',
      version: 1,
      refusal: null,
    });
    expect(done.tokens.after).toBeLessThanOrEqual(4_000);
    expect(done.tokens.before).toBeGreaterThan(4_000);
    expect(done.tokens.system).toBeGreaterThan(0);
    expect(Object.values(done.counts?.classes ?? {}).reduce((sum, n) => sum + n, 0)).toBeGreaterThan(60);
    expect(done.replaced_prefix?.messages).toBe(66);
  });

  it('is handed out as its bytes, beside the answer and inside it', async () => {
    const window = await get(done.links.window);
    expect(window.headers.get('holdfast-window')).toBe('compacted');
    const inside = await get(`${done.status_url}?include=window,receipt,decisions`);
    const compaction = read(inside, compactionSchema);
    expect(inside.text.endsWith(`,"window":${window.text}}`)).toBe(true);
    expect(compaction.window_origin).toBe('compacted');
    expect(compaction.decisions?.length).toBe(compaction.receipt?.elements.length);
    expect(compaction.receipt).toMatchObject({
      output_sha256: sha256Hex(window.text),
      input_sha256: sha256Hex(WINDOW),
    });
  });

  it('has a receipt whose hash holds', async () => {
    const receipt = read(await get(done.links.receipt), receiptSchema);
    expect(receiptHash(receipt as never)).toBe(receipt.hash);
    expect(done.receipt_hash).toBe(receipt.hash);
  });

  it('is followed to its end, and on from any event', async () => {
    const all = await get(done.links.events);
    const types = [...all.text.matchAll(/^event: (\w+)$/gmu)].map((match) => match[1]);
    expect(types[0]).toBe('accepted');
    expect(types.at(-1)).toBe('finished');
    const ids = [...all.text.matchAll(/^id: (\d+)$/gmu)].map((match) => match[1] ?? '');
    const rest = await get(done.links.events, { 'last-event-id': ids[0] ?? '' });
    expect([...rest.text.matchAll(/^id: (\d+)$/gmu)].map((match) => match[1])).toEqual(ids.slice(1));
    const nothing = await get(done.links.events, { 'last-event-id': ids.at(-1) ?? '' });
    expect(nothing.status).toBe(204);
  });

  it('left its effect in the ledger and its records in the store', async () => {
    const effects = read(await get(`${session}/effects`), effectPageSchema);
    expect(effects.items).toEqual([expect.objectContaining({ action: 'cancel_order', status: 'succeeded' })]);
    const records = read(await get(`${session}/records?limit=1`), recordPageSchema);
    expect(records.items.length).toBeLessThanOrEqual(1);
  });

  it('can be read back through every mark that it shows, byte for byte', async () => {
    const handles = shownHandles((await get(done.links.window)).text);
    expect(handles.length).toBeGreaterThan(0);
    const scope = 'agent=bot&session=orders';
    const originals = new Set(Array.from({ length: 30 }, (_, n) => orderText(n + 1)));
    let found = 0;
    for (const handle of handles) {
      const text = await get(`/v1/recall/${handle}?${scope}`);
      expect(text.status).toBe(200);
      expect(text.headers.get('content-type')).toBe('text/plain; charset=utf-8');
      expect(text.headers.get('repr-digest')).toMatch(/^sha-256=:.+:$/);
      if (contentsOf(text.text).some((content) => originals.has(content))) found += 1;
      const bytes = await get(`/v1/recall/${handle}?${scope}`, { accept: 'application/octet-stream' });
      expect(bytes.bytes.equals(text.bytes)).toBe(true);
    }
    expect(found).toBeGreaterThan(0);
    const [handle = ''] = handles;
    const whole = read(await get(`/v1/recall/${handle}?${scope}`, { accept: 'application/json' }), recalledTextSchema);
    expect(whole.sha256).toBe(sha256Hex(whole.text));
    const lines = `lines=1-${Math.min(2, whole.lines.total)}`;
    const part = read(
      await get(`/v1/recall/${handle}?${scope}&${lines}`, { accept: 'application/json' }),
      recalledTextSchema,
    );
    expect(whole.text.startsWith(part.text)).toBe(true);
    const wanted = encodeURIComponent(whole.text.trim().slice(0, 1));
    const matches = read(await get(`/v1/recall/${handle}?${scope}&query=${wanted}`), recallMatchesSchema);
    expect(matches.matches[0]?.line).toBeGreaterThan(0);
  });

  it('keeps NUL and half a surrogate pair on the way back', async () => {
    const scope = 'agent=bot&session=orders';
    const json = { accept: 'application/json' };
    const texts: string[] = [];
    for (const handle of shownHandles((await get(done.links.window)).text)) {
      const recalled = read(await get(`/v1/recall/${handle}?${scope}`, json), recalledTextSchema);
      const odd = contentsOf(recalled.text).filter((content) => content.includes(ODD_TEXT));
      if (odd.length === 0) continue;
      texts.push(...odd);
      const { bytes } = await get(`/v1/recall/${handle}?${scope}`, { accept: 'application/octet-stream' });
      expect(sha256Of(bytes)).toBe(recalled.sha256);
    }
    expect(texts).toContain(orderText(5));
  });

  it('is nobody else’s', async () => {
    const [handle = ''] = shownHandles((await get(done.links.window)).text);
    const [window] = read(await get(`${session}/windows`), windowPageSchema).items;
    const key = under.globex.key;
    const paths: readonly [string, string, string][] = [
      ['GET', done.status_url, 'COMPACTION_UNKNOWN'],
      ['GET', done.links.window, 'COMPACTION_UNKNOWN'],
      ['GET', done.links.receipt, 'COMPACTION_UNKNOWN'],
      ['GET', done.links.events, 'COMPACTION_UNKNOWN'],
      ['POST', done.links.adopt, 'COMPACTION_UNKNOWN'],
      ['GET', session, 'SESSION_UNKNOWN'],
      ['GET', `${session}/records`, 'SESSION_UNKNOWN'],
      ['GET', `${session}/effects`, 'SESSION_UNKNOWN'],
      ['GET', `${session}/windows`, 'SESSION_UNKNOWN'],
      ['GET', `${session}/windows/${window?.id ?? ''}/source`, 'SESSION_UNKNOWN'],
      ['POST', `${session}/windows/${window?.id ?? ''}/restore`, 'SESSION_UNKNOWN'],
      ['GET', `/v1/recall/${handle}?agent=bot&session=orders`, 'HANDLE_UNKNOWN'],
    ];
    for (const [method, path, code] of paths) {
      expect(shortProblem(await send(under.url, method, path, { key }))).toBe(`404 ${code}`);
    }
    expect(read(await send(under.url, 'GET', '/v1/sessions', { key }), sessionPageSchema).items).toEqual([]);
    const other = await get(`/v1/recall/${handle}?agent=bot&session=another`);
    expect(shortProblem(other)).toBe('404 HANDLE_UNKNOWN');
  });

  it('is unknown under a name that is none', async () => {
    for (const id of ['x', '%00', "1'--", '0'.repeat(36), 'f'.repeat(5_000)]) {
      expect(shortProblem(await get(`/v1/compactions/${id}`))).toBe('404 COMPACTION_UNKNOWN');
      expect(shortProblem(await get(`/v1/recall/${id}?agent=bot&session=orders`))).toBe('404 HANDLE_UNKNOWN');
      expect(shortProblem(await get(`${session}/windows/${id}/source`))).toBe('404 WINDOW_UNKNOWN');
    }
  });

  it('can give way to the window that was sent', async () => {
    const { items } = read(await get(`${session}/windows?limit=1`), windowPageSchema);
    expect(items).toHaveLength(1);
    const all = read(await get(`${session}/windows`), windowPageSchema).items;
    const accepted = all.find(({ kind }) => kind === 'accepted');
    const path = `${session}/windows/${accepted?.id ?? ''}`;
    const restored = read(await send(under.url, 'POST', `${path}/restore`, { key: under.acme.key }), restoredSchema);
    expect(restored.session).toMatchObject({ version: 2, handed_out_window_id: accepted?.id });
    expect((await get(`${path}/source`)).text).toBe(WINDOW);
  });
});

describe('a session of several windows', () => {
  it('gives every one of them back byte for byte', async () => {
    const odd = '{"role":"user","content":"\\u0000 \\ud800 1.0","n":12345678901234567890,"d":1.0,"k":1,"k":2}';
    const sent: string[] = [];
    let window = `[${odd} , ${WINDOW.slice(1)}`;
    for (let turn = 1; turn <= 3; turn += 1) {
      sent.push(window);
      const body = bodyOf('bot', 'restored', 4_000, window);
      const { id } = read(
        await send(under.url, 'POST', '/v1/compactions', { key: under.acme.key, body }),
        compactionSchema,
        202,
      );
      await runPass(under.database, id);
      const { text } = await get(`/v1/compactions/${id}/window`);
      if (text !== window) sent.push(text);
      window = `${text.trimEnd().slice(0, -1)},${orderWindow(12).slice(1)}`;
    }
    const path = '/v1/agents/bot/sessions/restored/windows';
    const { items } = read(await get(`${path}?limit=50`), windowPageSchema);
    const sources: string[] = [];
    for (const { id, sha256, bytes } of items.toReversed()) {
      const { text } = await get(`${path}/${id}/source`);
      expect(sha256Of(Buffer.from(text))).toBe(sha256);
      expect(Buffer.byteLength(text)).toBe(bytes);
      sources.push(text);
    }
    expect(items.map(({ kind }) => kind)).toContain('handed_out');
    expect(sources).toEqual(expect.arrayContaining(sent));
  });
});

describe('a pass of an agent that only observes', () => {
  it('gives the window back as it was sent, and says what would have been', async () => {
    const done = await finish('watched', 'orders', 4_000);
    expect(done).toMatchObject({ outcome: 'unchanged', recall_tool: null });
    const window = await get(done.links.window);
    expect(window.headers.get('holdfast-window')).toBe('as_sent');
    expect(window.text).toBe(WINDOW);
  });
});

describe('a refused pass', () => {
  it('names what stands in the way, and its best proven window can be adopted once', async () => {
    const done = await finish('bot', 'too-small', 120);
    expect(done).toMatchObject({ outcome: 'refused', refusal: { code: 'BUDGET_UNREACHABLE' } });
    expect(done.refusal?.repairs.length).toBeGreaterThan(0);
    expect(done.refusal?.shortfall_tokens).toBeGreaterThan(0);
    expect((await get(done.links.window)).text).toBe(WINDOW);
    expect(done.best_proven).not.toBeNull();
    const adopt = () => send(under.url, 'POST', done.links.adopt, { key: under.acme.key });
    const adopted = read(await adopt(), compactionSchema);
    expect(adopted).toMatchObject({ outcome: 'refused', window_origin: 'best_proven' });
    expect(adopted.best_proven?.adopted_at).not.toBeNull();
    expect(read(await adopt(), compactionSchema)).toEqual(adopted);
    const window = await get(done.links.window);
    expect(window.headers.get('holdfast-window')).toBe('best_proven');
    expect(window.text).not.toBe(WINDOW);
  });
});

describe('Prefer: wait', () => {
  it('answers 200 with the window when the outcome comes in time', async () => {
    const body = bodyOf('bot', 'inline', 4_000);
    const headers = { prefer: 'wait=50', 'idempotency-key': 'inline-1' };
    const first = send(under.url, 'POST', '/v1/compactions', { key: under.acme.key, body, headers });
    const known = await send(under.url, 'POST', '/v1/compactions', {
      key: under.acme.key,
      body,
      headers: { 'idempotency-key': 'inline-1' },
    });
    await runPass(under.database, (JSON.parse(known.text) as { readonly id: string }).id);
    const answer = await first;
    const compaction = read(answer, compactionSchema, 200);
    expect(compaction).toMatchObject({ outcome: 'compacted', window_origin: 'compacted' });
    expect(answer.text.endsWith(`,"window":${(await get(compaction.links.window)).text}}`)).toBe(true);
  });
});

describe('a plan', () => {
  it('says what would happen, and stores nothing', async () => {
    const before = await under.rowCounts(under.acme);
    const body = bodyOf('bot', 'planned', 4_000);
    const plan = read(await send(under.url, 'POST', '/v1/plans', { key: under.acme.key, body }), planSchema);
    expect(await under.rowCounts(under.acme)).toEqual(before);
    expect(plan.changes).toBe(true);
    expect(plan.tokens.after).toBeLessThan(plan.tokens.before);
    expect(plan.effects).toEqual([expect.objectContaining({ action: 'cancel_order', status: 'succeeded' })]);
    expect(plan.decisions.length).toBe(Object.values(plan.counts.classes).reduce((sum, n) => sum + n, 0));
    expect(plan.recall_tool?.tokens).toBeGreaterThan(0);
    expect(plan.refusal).toBeNull();
  });

  it('of a session goes on from where it stands', async () => {
    const body = bodyOf('bot', 'orders', 4_000);
    const plan = read(await send(under.url, 'POST', '/v1/plans', { key: under.acme.key, body }), planSchema);
    expect(plan.effects[0]?.occurrence).toMatch(/^e\d+$/);
  });

  it('that cannot fit says why, and what would help', async () => {
    const body = bodyOf('bot', 'planned', 120);
    const plan = read(await send(under.url, 'POST', '/v1/plans', { key: under.acme.key, body }), planSchema);
    expect(plan.refusal).toMatchObject({ code: 'BUDGET_UNREACHABLE' });
    expect(plan.refusal?.repairs.map(({ kind }) => kind)).toContain('raise_budget');
  });

  it('is refused for the same input as a compaction', async () => {
    const body = bodyOf('bot', 's', 10, '[{"role":"tool","tool_call_id":"x","content":"y"}]');
    const answer = await send(under.url, 'POST', '/v1/plans', { key: under.acme.key, body });
    expect(shortProblem(answer)).toBe('422 TOOL_RESULT_ORPHAN /window/0');
  });
});
