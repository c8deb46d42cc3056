import { claimedEffectSchema } from '@holdfast/contracts';
import { read, send } from '../../test/client';
import { type ApiUnderTest, startApiUnderTest } from '../../test/running-api';

describe('claims are counted by what the gate answered', () => {
  let under: ApiUnderTest;
  beforeAll(async () => {
    under = await startApiUnderTest();
    const contracts = { refund: { effect: 'write', key: ['$.order'] }, get_order: { effect: 'read' } };
    const body = JSON.stringify({ mode: 'enforce', recall: 'tool', tool_contracts: contracts });
    await send(under.url, 'PUT', '/v1/agents/bot', { key: under.acme.key, body });
  });
  afterAll(() => under.close());

  const post = (path: string, fields: object) =>
    send(under.url, 'POST', path, { key: under.acme.key, body: JSON.stringify(fields) });
  const claim = async (attemptId: string, tool = 'refund') => {
    const ask = { agent: 'bot', session: 's', tool, arguments: { order: 'W1' }, attempt_id: attemptId };
    return read(await post('/v1/effects/claim', ask), claimedEffectSchema);
  };

  it('what proceeds, what is in flight, what is a duplicate, and how it was settled', async () => {
    const first = await claim('first');
    await claim('second');
    const settled = { attempt_id: 'first', status: 'succeeded' };
    expect((await post(`/v1/effects/${first.effect?.id ?? ''}/settle`, settled)).status).toBe(200);
    await claim('third');
    await claim('a read needs no claim', 'get_order');
    const { text } = await send(under.url, 'GET', '/metrics');
    const counts = [...text.matchAll(/^holdfast_effect(?:_attempts|s_settled)_total\{\w+="(\w+)"\} (\d+)$/gm)];
    expect(Object.fromEntries(counts.map(([, value, count]) => [value, Number(count)]))).toEqual({
      ...{ proceed: 1, in_flight: 1, duplicate: 1, reconcile: 0, conflict: 0 },
      ...{ succeeded: 1, failed: 0, declined: 0, fired: 0, unknown: 0 },
    });
  });

  it('a late word that the ledger contradicts is drift', async () => {
    const { effect } = await claim('fourth');
    const late = { attempt_id: 'first', status: 'failed' };
    expect((await post(`/v1/effects/${effect?.id ?? ''}/settle`, late)).status).toBe(200);
    const { text } = await send(under.url, 'GET', '/metrics');
    expect(text).toContain('holdfast_drift_incidents_total{kind="effect_status_changed"} 1');
    expect(text).toContain('holdfast_effects_settled_total{status="failed"} 0');
  });
});
