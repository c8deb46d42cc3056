import {
  claimedEffectSchema,
  compactionSchema,
  effectAttemptPageSchema,
  ledgerEffectPageSchema,
  settledEffectSchema,
} from '@holdfast/contracts';
import { createEffectRepository } from '@holdfast/persistence';
import type { z } from 'zod';
import { read, send, shortProblem } from '../../test/client';
import { runPass } from '../../test/one-pass';
import { type ApiUnderTest, startApiUnderTest } from '../../test/running-api';

const CONTRACTS = {
  refund: { effect: 'write', key: ['$.order'], target: ['$.order'], secret: ['$.card'], keep: ['$.receipt'] },
  deploy: { effect: 'write', key: ['$.service'], scope: 'agent' },
  shell: { effect: 'exec' },
  get_order: { effect: 'read' },
};

let under: ApiUnderTest;

beforeAll(async () => {
  under = await startApiUnderTest();
  const body = JSON.stringify({ mode: 'enforce', recall: 'tool', tool_contracts: CONTRACTS });
  await send(under.url, 'PUT', '/v1/agents/bot', { key: under.acme.key, body });
  await send(under.url, 'PUT', '/v1/agents/bot', { key: under.globex.key, body });
});

afterAll(() => under.close());

type Claimed = z.infer<typeof claimedEffectSchema>;
let attempts = 0;

interface Claim {
  readonly session?: string;
  readonly tool?: string;
  readonly arguments?: unknown;
  readonly attempt_id?: string;
  readonly [field: string]: unknown;
}

function post(path: string, body: unknown, key = under.acme.key) {
  return send(under.url, 'POST', path, { key, body: typeof body === 'string' ? body : JSON.stringify(body) });
}

async function claim(fields: Claim, key = under.acme.key): Promise<Claimed> {
  attempts += 1;
  const usual = { agent: 'bot', session: 's', tool: 'refund', attempt_id: `try-${String(attempts)}` };
  return read(await post('/v1/effects/claim', { ...usual, ...fields }, key), claimedEffectSchema);
}

async function settle(claimed: Claimed, fields: Record<string, unknown>) {
  const attempt = { attempt_id: claimed.effect?.attempt_id };
  return read(
    await post(`/v1/effects/${claimed.effect?.id ?? ''}/settle`, { ...attempt, ...fields }),
    settledEffectSchema,
  );
}

const reconcile = (claimed: Claimed, fields: Record<string, unknown>) =>
  post(`/v1/effects/${claimed.effect?.id ?? ''}/reconcile`, fields);

/** The lease of a claim, over by the clock of the database. */
async function runOut({ effect }: Claimed): Promise<void> {
  await under.database.withTenant(
    under.acme.tenantId,
    (tx) => tx.$executeRaw`
      update effect_keys set lease_until = clock_timestamp() - interval '1 second' where effect_id = ${effect?.id ?? ''}::uuid`,
  );
}

async function answers(claimed: Claimed): Promise<readonly string[]> {
  const page = await send(under.url, 'GET', `/v1/effects/${claimed.effect?.id ?? ''}/attempts`, {
    key: under.acme.key,
  });
  return read(page, effectAttemptPageSchema).items.map(({ source, answer, status }) => `${source} ${answer ?? status}`);
}

async function signals(claimed: Claimed): Promise<readonly string[]> {
  const subject = claimed.effect?.id ?? '';
  const rows = await under.database.withTenant(under.acme.tenantId, (tx) =>
    tx.alertSignal.findMany({ where: { tenantId: under.acme.tenantId, subject }, orderBy: { id: 'asc' } }),
  );
  return rows.map(({ type }) => type);
}

describe('a claim', () => {
  it('of a key proceeds once; done, its result is the answer of every later one', async () => {
    const first = await claim({ arguments: { order: 'W1', amount: 12.5 } });
    expect(first).toMatchObject({
      answer: 'proceed',
      gated: true,
      effect: { ref: 'E1', target: 'W1', status: 'intended' },
    });
    expect(await claim({ arguments: { amount: 12.5, order: 'W1' } })).toMatchObject({ answer: 'in_flight' });

    const settled = await post(
      `/v1/effects/${first.effect?.id ?? ''}/settle`,
      `{"attempt_id":"${first.effect?.attempt_id ?? ''}","status":"succeeded","result":{"receipt":"RC-118000","n": 1.0}}`,
    );
    expect(read(settled, settledEffectSchema)).toMatchObject({
      ...{ late: false, applied: true },
      effect: { status: 'succeeded', kept: ['receipt: RC-118000'], has_result: true },
    });
    const again = await post('/v1/effects/claim', {
      ...{ agent: 'bot', session: 's', tool: 'refund', attempt_id: 'later', arguments: { order: 'W1', amount: 12.5 } },
    });
    expect(read(again, claimedEffectSchema)).toMatchObject({ answer: 'duplicate', effect: { id: first.effect?.id } });
    expect(again.text).toContain('"result":{"receipt":"RC-118000","n": 1.0}');
    expect(await answers(first)).toEqual([
      ...['claimed proceed', 'claimed in_flight', 'settled succeeded', 'claimed duplicate'],
    ]);
    expect(await signals(first)).toEqual(['effect.duplicate_blocked']);
  });

  it('sent again by the same attempt is the same claim', async () => {
    const fields = { arguments: { order: 'W2' }, attempt_id: 'once' };
    const first = await claim(fields);
    const second = await claim(fields);
    expect(second).toEqual({ ...first, reason: 'the same attempt, whose lease still lives' });
    expect(await answers(first)).toEqual(['claimed proceed']);
  });

  it('with an attempt id of another call is told so', async () => {
    await claim({ arguments: { order: 'W3' }, attempt_id: 'mine' });
    const other = { agent: 'bot', session: 's', tool: 'refund', arguments: { order: 'W4' }, attempt_id: 'mine' };
    expect(shortProblem(await post('/v1/effects/claim', other))).toBe('409 ATTEMPT_REUSED');
  });

  it('with other parameters under the same key is a conflict', async () => {
    await claim({ arguments: { order: 'W5', amount: 1 } });
    expect(await claim({ arguments: { order: 'W5', amount: 2 } })).toMatchObject({ answer: 'conflict' });
  });

  it('proceeds again after the earlier one certainly failed', async () => {
    const first = await claim({ arguments: { order: 'W6' } });
    await settle(first, { status: 'failed', evidence: 'the bank said no' });
    const second = await claim({ arguments: { order: 'W6' } });
    expect(second).toMatchObject({ answer: 'proceed' });
    expect(second.effect?.ref).not.toBe(first.effect?.ref);
  });

  it('proceeds for a wanted repeat, by its label', async () => {
    await settle(await claim({ arguments: { order: 'W7' } }), { status: 'succeeded' });
    expect(await claim({ arguments: { order: 'W7' } })).toMatchObject({ answer: 'duplicate' });
    expect(await claim({ arguments: { order: 'W7' }, repeat_label: 'second half' })).toMatchObject({
      answer: 'proceed',
    });
    expect(await claim({ arguments: { order: 'W7' }, repeat_label: 'second half' })).toMatchObject({
      answer: 'in_flight',
    });
  });

  it('is of its session, or of its agent where the contract says so, and of its tenant always', async () => {
    const key = { arguments: { order: 'W8' } };
    expect(await claim(key)).toMatchObject({ answer: 'proceed' });
    expect(await claim({ ...key, session: 't' })).toMatchObject({ answer: 'proceed' });
    const deploy = { tool: 'deploy', arguments: { service: 'api' } };
    expect(await claim(deploy)).toMatchObject({ answer: 'proceed' });
    expect(await claim({ ...deploy, session: 't' })).toMatchObject({ answer: 'in_flight' });
    expect(await claim(deploy, under.globex.key)).toMatchObject({ answer: 'proceed' });
  });

  it.each([
    ['exec', { tool: 'shell', arguments: { command: 'git push' } }],
    ['unkeyed', { tool: 'send_mail', arguments: { to: 'bodil' } }],
  ])('of an %s effect is recorded and never blocked', async (_, fields) => {
    const first = await claim(fields);
    expect(first).toMatchObject({ answer: 'proceed', gated: false, effect: { status: 'intended' } });
    const second = await claim(fields);
    expect(second).toMatchObject({ answer: 'proceed', gated: false });
    expect(second.effect?.id).not.toBe(first.effect?.id);
    expect(await settle(second, { status: 'succeeded' })).toMatchObject({ applied: true, late: false });
  });

  it('of a call that only reads is recorded nowhere', async () => {
    expect(await claim({ tool: 'get_order', arguments: { order: 'W1' } })).toMatchObject({
      ...{ answer: 'proceed', gated: false, effect: null },
    });
  });

  it('of a call whose key the caller brings excludes the same key', async () => {
    const fields = { tool: 'wire', arguments: { to: 'a' }, idempotency_key: 'k-1', target: 'a' };
    expect(await claim(fields)).toMatchObject({ answer: 'proceed', gated: true, effect: { key_source: 'declared' } });
    expect(await claim(fields)).toMatchObject({ answer: 'in_flight' });
    expect(await claim({ ...fields, target: 'b' })).toMatchObject({ answer: 'conflict' });
  });

  it('shows no secret of its arguments or its result', async () => {
    const card = '4929-1234-5678-9012-token';
    const first = await claim({ arguments: { order: 'W9', card } });
    await settle(first, { status: 'succeeded', evidence: `password: hunter2hunter2`, result: { receipt: 'R1' } });
    const page = await send(under.url, 'GET', '/v1/effects?session=s', { key: under.acme.key });
    expect(page.text).not.toContain(card);
    expect(page.text).not.toContain('hunter2hunter2');
  });

  it.each([
    [{ arguments: undefined }, '422 FIELD_MISSING /arguments'],
    [{ arguments: {}, agent: 'nobody' }, '404 AGENT_UNKNOWN'],
    [{ arguments: {}, lease_seconds: 0 }, '422 FIELD_OUT_OF_RANGE /lease_seconds'],
    [{ arguments: {}, attempt_id: '' }, '422 FIELD_OUT_OF_RANGE /attempt_id'],
  ])('that cannot be read is a problem: %j', async (fields, problem) => {
    const usual = { agent: 'bot', session: 's', tool: 'refund', attempt_id: 'odd' };
    expect(shortProblem(await post('/v1/effects/claim', { ...usual, ...fields }))).toBe(problem);
  });
});

describe('a lease that ran out', () => {
  it('leaves the effect unknown: look at the target first', async () => {
    const first = await claim({ arguments: { order: 'X1' } });
    await runOut(first);
    expect(await claim({ arguments: { order: 'X1' } })).toMatchObject({
      answer: 'reconcile',
      effect: { status: 'unknown' },
    });
    expect(await signals(first)).toEqual(['effect.outcome_unknown']);
  });

  it('is found without a claim, once', async () => {
    const first = await claim({ arguments: { order: 'X2' } });
    await runOut(first);
    const effects = createEffectRepository(under.database);
    expect(await effects.expireLeases(100)).toBeGreaterThanOrEqual(1);
    expect(await effects.expireLeases(100)).toBe(0);
    expect(await answers(first)).toEqual(['claimed proceed', 'expired unknown']);
    expect(await signals(first)).toEqual(['effect.outcome_unknown']);
  });

  it('and a target that shows it done: the next claim is a duplicate', async () => {
    const first = await claim({ arguments: { order: 'X3' } });
    await runOut(first);
    await claim({ arguments: { order: 'X3' } });
    const done = { status: 'succeeded', evidence: 'the order shows the refund', result: { receipt: 'RC-2' } };
    expect(read(await reconcile(first, done), settledEffectSchema)).toMatchObject({ applied: true });
    expect(await claim({ arguments: { order: 'X3' } })).toMatchObject({
      answer: 'duplicate',
      result: { receipt: 'RC-2' },
    });
  });

  it('and a target that shows nothing: the next claim proceeds', async () => {
    const first = await claim({ arguments: { order: 'X4' } });
    await runOut(first);
    await claim({ arguments: { order: 'X4' } });
    await reconcile(first, { status: 'failed', evidence: 'the order shows no refund' });
    expect(await claim({ arguments: { order: 'X4' } })).toMatchObject({ answer: 'proceed' });
    // The one who was away comes back with news of the old try.
    const late = await settle(first, { status: 'succeeded' });
    expect(late).toMatchObject({ late: true, applied: false, effect: { status: 'failed' } });
    expect(await signals(first)).toEqual(['effect.outcome_unknown', 'effect.outcome_disputed']);
  });

  it('and a late word of its own attempt: it is evidence and closes the unknown', async () => {
    const first = await claim({ arguments: { order: 'X5' } });
    await runOut(first);
    await claim({ arguments: { order: 'X5' } });
    expect(await settle(first, { status: 'succeeded' })).toMatchObject({ late: true, applied: true });
    expect(await claim({ arguments: { order: 'X5' } })).toMatchObject({ answer: 'duplicate' });
  });
});

describe('settling and reconciling', () => {
  it('is the same when it is sent again', async () => {
    const first = await claim({ arguments: { order: 'Y1' } });
    await settle(first, { status: 'succeeded' });
    expect(await settle(first, { status: 'succeeded' })).toMatchObject({ applied: true });
    expect(await answers(first)).toEqual(['claimed proceed', 'settled succeeded']);
  });

  it('belongs to the attempt that was told to proceed', async () => {
    const first = await claim({ arguments: { order: 'Y2' } });
    const path = `/v1/effects/${first.effect?.id ?? ''}/settle`;
    expect(shortProblem(await post(path, { attempt_id: 'somebody', status: 'succeeded' }))).toBe('409 ATTEMPT_UNKNOWN');
  });

  it('waits while an attempt holds the effect, and changes nothing that is closed', async () => {
    const first = await claim({ arguments: { order: 'Y3' } });
    const look = { status: 'failed', evidence: 'nothing there' };
    const held = await reconcile(first, look);
    expect(shortProblem(held)).toBe('409 EFFECT_IN_FLIGHT');
    expect(Number(held.headers.get('retry-after'))).toBeGreaterThan(0);
    await settle(first, { status: 'succeeded' });
    expect(shortProblem(await reconcile(first, look))).toBe('409 EFFECT_CLOSED');
  });

  it('is unknown to another tenant', async () => {
    const first = await claim({ arguments: { order: 'Y4' } });
    const id = first.effect?.id ?? '';
    const body = { attempt_id: first.effect?.attempt_id, status: 'failed' };
    expect(shortProblem(await post(`/v1/effects/${id}/settle`, body, under.globex.key))).toBe('404 EFFECT_ID_UNKNOWN');
    for (const path of ['', '/attempts', '/result']) {
      const answer = await send(under.url, 'GET', `/v1/effects/${id}${path}`, { key: under.globex.key });
      expect(shortProblem(answer)).toBe('404 EFFECT_ID_UNKNOWN');
    }
  });
});

it('a claimed effect and the call that a window shows of it are one line of the ledger', async () => {
  const claimed = await claim({ arguments: { order: 'V1' }, session: 'seen' });
  await settle(claimed, { status: 'succeeded', result: { receipt: 'RC-9' } });
  const call = { id: 'c1', type: 'function', function: { name: 'refund', arguments: '{"order":"V1"}' } };
  const window = [
    { role: 'user', content: 'Refund V1.' },
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: 'c1', content: '{"receipt":"RC-9"}' },
    { role: 'assistant', content: 'Refunded.' },
    { role: 'user', content: 'Thanks.' },
  ];
  const accepted = await post('/v1/compactions', { agent: 'bot', session: 'seen', budget_tokens: 4_000, window });
  await runPass(under.database, read(accepted, compactionSchema, 202).id);
  const page = await send(under.url, 'GET', '/v1/effects?session=seen', { key: under.acme.key });
  expect(read(page, ledgerEffectPageSchema).items).toEqual([
    expect.objectContaining({ id: claimed.effect?.id, occurrence: 'e2', status: 'succeeded', kept: ['receipt: RC-9'] }),
  ]);
  expect(await claim({ arguments: { order: 'V1' }, session: 'seen' })).toMatchObject({ answer: 'duplicate' });
});

it('what only a window showed is known to the gate', async () => {
  const call = { id: 'c1', type: 'function', function: { name: 'refund', arguments: '{"order":"V2"}' } };
  const window = [
    { role: 'user', content: 'Refund V2.' },
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: 'c1', content: '{"receipt":"RC-10"}' },
    { role: 'user', content: 'Thanks.' },
  ];
  const accepted = await post('/v1/compactions', { agent: 'bot', session: 'shown', budget_tokens: 4_000, window });
  await runPass(under.database, read(accepted, compactionSchema, 202).id);
  expect(await claim({ arguments: { order: 'V2' }, session: 'shown' })).toMatchObject({ answer: 'duplicate' });
});

it('many claims of one key at once: one proceeds', async () => {
  const all = await Promise.all(Array.from({ length: 24 }, () => claim({ arguments: { order: 'Z1' } })));
  const answered = all.map(({ answer }) => answer).sort();
  expect(answered).toEqual([...Array.from({ length: 23 }, () => 'in_flight'), 'proceed']);
});

it('lists the ledger of all sessions by agent, session, status, tool and key, page by page', async () => {
  const list = async (query: string) =>
    read(await send(under.url, 'GET', `/v1/effects${query}`, { key: under.acme.key }), ledgerEffectPageSchema);
  const all = await list('?limit=200');
  const first = await list('?limit=2');
  expect(first.items).toEqual(all.items.slice(0, 2));
  const second = await list(`?limit=2&cursor=${first.next ?? ''}`);
  expect(second.items).toEqual(all.items.slice(2, 4));
  expect((await list('?tool=deploy')).items.map(({ action }) => action)).toEqual(['deploy']);
  expect((await list('?status=unknown')).items.every(({ status }) => status === 'unknown')).toBe(true);
  expect((await list('?session=t')).items.every(({ session }) => session === 't')).toBe(true);
  const key = all.items.find(({ target }) => target === 'W1')?.idempotency_key ?? '';
  expect((await list(`?key=${key}`)).items.map(({ target }) => target)).toEqual(['W1']);
});
