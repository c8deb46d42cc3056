import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  agentSchema,
  claimedEffectSchema,
  effectAttemptPageSchema,
  ledgerEffectPageSchema,
  settledEffectSchema,
} from '@holdfast/contracts';
import { ApiClient } from '../src/api-client';
import { entryOf, runToEnd } from '../src/build';
import { type RunningPlatform, startRunningPlatform } from '../src/running-platform';

let platform: RunningPlatform;
let api: ApiClient;

beforeAll(async () => {
  platform = await startRunningPlatform();
  api = new ApiClient(platform.url, platform.key);
  const contracts = { pay: { effect: 'write', key: ['$.invoice'] } };
  const settings = { mode: 'enforce', recall: 'tool', tool_contracts: contracts };
  await api.read(agentSchema, 'PUT', '/v1/agents/payer', JSON.stringify(settings));
});
afterAll(async () => {
  await platform.close();
});

/** `fetch` throws a TypeError of its own realm; an answer that is none of ours is another error. */
function brokeBelowHttp(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'name' in error && error.name === 'TypeError';
}

const KEYS = 20;
const CLAIMS_OF_EACH = 25;
const CLIENTS = 50;

/** Asks until somebody answers: while the API is away a connection breaks, and the same attempt asks again. */
async function claim(invoice: string, attempt: string): Promise<{ answer: string; effect: string }> {
  const body = {
    agent: 'payer',
    session: 's',
    tool: 'pay',
    arguments: { invoice },
    attempt_id: attempt,
    lease_seconds: 600,
  };
  for (;;) {
    try {
      const { answer, effect } = await api.read(claimedEffectSchema, 'POST', '/v1/effects/claim', JSON.stringify(body));
      return { answer, effect: effect?.id ?? '' };
    } catch (error) {
      if (!brokeBelowHttp(error)) throw error;
    }
  }
}

it('claims of one key have one winner, also when API and worker are killed in between', async () => {
  const claims = Array.from({ length: KEYS * CLAIMS_OF_EACH }, (_, at) => ({
    invoice: `INV-${String(at % KEYS)}`,
    attempt: `attempt ${String(at)}`,
  }));
  const answers: { invoice: string; answer: string; effect: string }[] = [];
  const queue = claims.values();
  const client = async (): Promise<void> => {
    for (const { invoice, attempt } of queue) answers.push({ invoice, ...(await claim(invoice, attempt)) });
  };
  const crash = platform.crash('api').then(() => platform.crash('worker'));
  await Promise.all([crash, ...Array.from({ length: CLIENTS }, client)]);

  const winners = answers.filter(({ answer }) => answer === 'proceed');
  expect(new Set(winners.map(({ invoice }) => invoice)).size).toBe(KEYS);
  expect(winners).toHaveLength(KEYS);
  expect(answers.filter(({ answer }) => answer === 'in_flight')).toHaveLength(claims.length - KEYS);

  const ledger = await api.read(ledgerEffectPageSchema, 'GET', '/v1/effects?agent=payer&limit=200');
  expect(ledger.items.map(({ id }) => id).sort()).toEqual(winners.map(({ effect }) => effect).sort());
  for (const { id, attempt_id: attempt } of ledger.items) {
    const said = JSON.stringify({ attempt_id: attempt, status: 'succeeded' });
    await api.read(settledEffectSchema, 'POST', `/v1/effects/${id}/settle`, said);
    const path = `/v1/effects/${id}/attempts?limit=200`;
    const { items } = await api.read(effectAttemptPageSchema, 'GET', path);
    expect(items.filter(({ answer }) => answer === 'proceed')).toHaveLength(1);
    expect(items.filter(({ source }) => source === 'settled')).toHaveLength(1);
  }
});

it('a lease that ran out is found by a worker that was killed and came back', async () => {
  const body = {
    agent: 'payer',
    session: 's',
    tool: 'pay',
    arguments: { invoice: 'L1' },
    attempt_id: 'l',
    lease_seconds: 1,
  };
  const { effect } = await api.read(claimedEffectSchema, 'POST', '/v1/effects/claim', JSON.stringify(body));
  await platform.crash('worker');
  const again = { ...body, attempt_id: 'later' };
  for (let answer = 'in_flight'; answer === 'in_flight';) {
    ({ answer } = await api.read(claimedEffectSchema, 'POST', '/v1/effects/claim', JSON.stringify(again)));
    if (answer !== 'in_flight') expect(answer).toBe('reconcile');
  }
  const { items } = await api.read(effectAttemptPageSchema, 'GET', `/v1/effects/${effect?.id ?? ''}/attempts`);
  expect(items.filter(({ source }) => source === 'expired')).toHaveLength(1);
});

it('writes replayed through the gate with crashes are applied exactly once', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-effects-'));
  try {
    mkdirSync(join(folder, 'golden'));
    const actions = Array.from({ length: 16 }, (_, at) => ({
      ...{ name: 'return_order_items', arguments: { order_id: `#W${String(at)}` }, effect: 'write' },
    }));
    writeFileSync(join(folder, 'golden', 'own.json'), JSON.stringify({ tasks: [{ task: 'a', actions }] }));
    const access = ['--url', platform.url, '--key', platform.key, '--lease', '1'];
    const { exitCode, output } = await runToEnd(entryOf('cli', 'main.js'), ['eval', 'effects', folder, ...access], {});
    expect(JSON.parse(output.trim().split('\n').at(-1) ?? '')).toMatchObject({
      ...{ gate: 'http', actions: 16, failed: 0, duplicates: 0, lost: 0 },
    });
    expect(exitCode).toBe(0);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
