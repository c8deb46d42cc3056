import { compactionSchema, sessionSchema, windowPageSchema } from '@holdfast/contracts';
import { until } from '@holdfast/testkit';
import { read, send, shortProblem } from '../../test/client';
import { type ApiUnderTest, startApiUnderTest } from '../../test/running-api';

let under: ApiUnderTest;

beforeAll(async () => {
  under = await startApiUnderTest();
  await putAgent('bot');
});

afterAll(() => under.close());

function putAgent(agent: string) {
  const body = JSON.stringify({ mode: 'enforce', recall: 'tool' });
  return send(under.url, 'PUT', `/v1/agents/${agent}`, { key: under.acme.key, body });
}

function compact(session: string, window: string, more = '', headers: Record<string, string> = {}) {
  const body = `{"agent":"bot","session":${JSON.stringify(session)},"budget_tokens":1000${more},"window":${window}}`;
  return send(under.url, 'POST', '/v1/compactions', { key: under.acme.key, body, headers });
}

const WINDOW = '[{"role":"user","content":"hello"}]';

describe('a window is accepted', () => {
  it('with a place to find its outcome', async () => {
    const answer = await compact('first', WINDOW);
    const compaction = read(answer, compactionSchema, 202);
    expect(answer.headers.get('location')).toBe(compaction.status_url);
    expect(compaction).toMatchObject({ agent: 'bot', session: 'first', seq: 1, phase: 'accepted', outcome: null });
    expect(compaction.format).toBe('openai-chat');
    const again = read(await send(under.url, 'GET', compaction.status_url, { key: under.acme.key }), compactionSchema);
    expect(again.id).toBe(compaction.id);
  });

  it('as its source bytes, whatever stands in it', async () => {
    const window =
      '[ {"role":"user" , "content":"\\u0000 \\ud800 ☃ 😀", "n":12345678901234567890,"d":1.0,"e":1e2,"k":1,"k":2, "2":1,"1":2} ]';
    read(await compact('bytes', window), compactionSchema, 202);
    const base = '/v1/agents/bot/sessions/bytes';
    const page = read(await send(under.url, 'GET', `${base}/windows`, { key: under.acme.key }), windowPageSchema);
    const [listed] = page.items;
    const source = await send(under.url, 'GET', `${base}/windows/${listed?.id ?? ''}/source`, { key: under.acme.key });
    expect(source.text).toBe(window);
    expect(listed?.bytes).toBe(Buffer.byteLength(window));
  });

  it('and says what the recall tool is and costs', async () => {
    const { recall_tool: tool } = read(await compact('tool', WINDOW), compactionSchema, 202);
    expect(tool?.definition).toMatchObject({ type: 'function', function: { name: 'holdfast_recall' } });
    expect(tool?.tokens).toBeGreaterThan(20);
    const anthropic = read(await compact('tool-2', WINDOW, ',"format":"anthropic"'), compactionSchema, 202);
    expect(anthropic.recall_tool?.definition).toMatchObject({
      name: 'holdfast_recall',
      input_schema: { type: 'object' },
    });
  });

  it('in the order of its session', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => compact('order', WINDOW)));
    const seqs = answers.map((answer) => read(answer, compactionSchema, 202).seq);
    expect(seqs.sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5]);
    const session = await send(under.url, 'GET', '/v1/agents/bot/sessions/order', { key: under.acme.key });
    expect(read(session, sessionSchema)).toMatchObject({ accepted_passes: 5, finished_passes: 0 });
  });

  it('and its job is in the queue', async () => {
    const received: string[] = [];
    const take = (job: { readonly payload: { readonly id: string } }): Promise<void> => {
      received.push(job.payload.id);
      return Promise.resolve();
    };
    const handlers = { 'compaction.secure': take, 'compaction.summarize': take, 'alert.deliver': take };
    const consumer = under.queue.createConsumer(handlers);
    await consumer.start();
    const { id } = read(await compact('job', WINDOW), compactionSchema, 202);
    await until(() => received.includes(id));
    await consumer.close(1_000);
  });
});

describe('Prefer: wait', () => {
  it('answers 202 when the outcome is not there in time', async () => {
    const answer = await compact('wait', WINDOW, '', { prefer: 'wait=1' });
    expect(read(answer, compactionSchema, 202).status).not.toBe('finished');
    expect(answer.headers.get('preference-applied')).toBe('wait=1');
  });
});

describe('Idempotency-Key', () => {
  it('makes a repeat the same compaction, several at once too', async () => {
    const headers = { 'idempotency-key': 'order-7' };
    const before = await under.rowCounts(under.acme);
    const answers = await Promise.all(Array.from({ length: 4 }, () => compact('repeat', WINDOW, '', headers)));
    const ids = answers.map((answer) => read(answer, compactionSchema, 202).id);
    expect(new Set(ids).size).toBe(1);
    const after = await under.rowCounts(under.acme);
    expect(after['compactions']).toBe((before['compactions'] ?? 0) + 1);
    expect(after['outbox']).toBe((before['outbox'] ?? 0) + 1);
  });

  it('is refused for another request', async () => {
    const headers = { 'idempotency-key': 'order-8' };
    read(await compact('reuse', WINDOW, '', headers), compactionSchema, 202);
    const before = await under.rowCounts(under.acme);
    const other = await compact('reuse', WINDOW, ',"aim_tokens":10', headers);
    expect(shortProblem(other)).toBe('422 IDEMPOTENCY_KEY_REUSED /Idempotency-Key');
    expect(await under.rowCounts(under.acme)).toEqual(before);
  });

  it('belongs to its tenant', async () => {
    const body = JSON.stringify({ mode: 'observe', recall: 'none' });
    await send(under.url, 'PUT', '/v1/agents/bot', { key: under.globex.key, body });
    const request = `{"agent":"bot","session":"s","budget_tokens":9,"window":${WINDOW}}`;
    const headers = { 'idempotency-key': 'order-8' };
    const answer = await send(under.url, 'POST', '/v1/compactions', { key: under.globex.key, body: request, headers });
    expect(answer.status).toBe(202);
  });
});

describe('before it has finished', () => {
  it('there is no window, no receipt and nothing to adopt', async () => {
    const { links } = read(await compact('unfinished', WINDOW), compactionSchema, 202);
    const key = under.acme.key;
    expect(shortProblem(await send(under.url, 'GET', links.window, { key }))).toBe('409 COMPACTION_NOT_FINISHED');
    expect(shortProblem(await send(under.url, 'GET', links.receipt, { key }))).toBe('409 COMPACTION_NOT_FINISHED');
    expect(shortProblem(await send(under.url, 'POST', links.adopt, { key }))).toBe('409 NOTHING_TO_ADOPT');
  });

  it('its events are followed from the first, and on from any', async () => {
    const { links } = read(await compact('events', WINDOW), compactionSchema, 202);
    const headers = { authorization: `Bearer ${under.acme.key}` };
    const stop = new AbortController();
    const response = await fetch(`${under.url}${links.events}`, { headers, signal: stop.signal });
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    let text = '';
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk as Uint8Array, { stream: true });
      if (text.includes('event: accepted')) break;
    }
    stop.abort();
    expect(text).toMatch(/^retry: \d+\n\nid: \d+\nevent: accepted\ndata: \{"type":"accepted"/);
    const bad = await send(under.url, 'GET', links.events, { key: under.acme.key, headers: { 'last-event-id': 'x' } });
    expect(shortProblem(bad)).toBe('422 FIELD_INVALID /Last-Event-ID');
  });
});
