import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  agentSchema,
  effectPageSchema,
  planSchema,
  recalledTextSchema,
  receiptSchema,
  recordPageSchema,
} from '@holdfast/contracts';
import { readTranscript, sha256Hex, shownHandles, type Transcript } from '@holdfast/core';
import { ApiClient } from '../src/api-client';
import { entryOf, fixture, runToEnd } from '../src/build';
import { type RunningPlatform, startRunningPlatform } from '../src/running-platform';

let platform: RunningPlatform;
let api: ApiClient;

beforeAll(async () => {
  platform = await startRunningPlatform();
  api = new ApiClient(platform.url, platform.key);
});
afterAll(async () => {
  expect(await platform.close()).toEqual([0, 0]);
});

const CONTRACTS: unknown = JSON.parse(readFileSync(fixture('contracts', 'tau-bench-airline.json'), 'utf8'));
const AIRLINE = loadTranscript('tau-bench-airline.json');

function loadTranscript(name: string): Transcript {
  const answer = readTranscript(readFileSync(fixture('transcripts', name), 'utf8'));
  if (answer.kind !== 'transcript') throw new Error(`${name}: ${answer.reason}`);
  return answer.transcript;
}

async function putAgent(agent: string, settings: object): Promise<void> {
  await api.read(agentSchema, 'PUT', `/v1/agents/${agent}`, JSON.stringify(settings));
}

function sessionPath(agent: string, session: string): string {
  return `/v1/agents/${agent}/sessions/${session}`;
}

/** A budget that leaves the system prompt whole and this share of the rest, by what a plan counts. */
async function budgetOf(agent: string, share: number): Promise<number> {
  const body = `{"agent":"${agent}","session":"counted","budget_tokens":1000000,"window":${AIRLINE.source}}`;
  const { tokens } = await api.read(planSchema, 'POST', '/v1/plans', body);
  return tokens.system + Math.ceil((tokens.before - tokens.system) * share);
}

describe('an agent with contracts', () => {
  const agent = 'airline-desk';
  const session = 'reservation';

  beforeAll(() => putAgent(agent, { mode: 'enforce', recall: 'tool', tool_contracts: CONTRACTS }));

  it('has its transcript compacted, its effects kept, every mark recalled, and a receipt that holds offline', async () => {
    const budget = await budgetOf(agent, 0.4);
    const ask = { agent, session, budget_tokens: budget, aim_tokens: budget };
    const { compaction, window, origin } = await api.compact(ask, AIRLINE.source);
    expect(compaction).toMatchObject({ outcome: 'compacted', version: 1, refusal: null });
    expect(compaction.tokens.after).toBeLessThanOrEqual(budget);
    expect(compaction.tokens.before).toBeGreaterThan(budget);
    expect(origin).toBe('compacted');

    const effects = await api.read(effectPageSchema, 'GET', `${sessionPath(agent, session)}/effects`);
    expect(effects.items.map(({ action, status }) => [action, status])).toEqual([
      ['cancel_reservation', 'succeeded'],
      ['book_reservation', 'failed'],
      ['book_reservation', 'failed'],
      ['book_reservation', 'failed'],
      ['transfer_to_human_agents', 'succeeded'],
    ]);
    expect(effects.items[0]).toMatchObject({ target: 'K1NW8N', kind: 'write' });

    const said = contentsOf(AIRLINE.source);
    const handles = shownHandles(window);
    expect(handles.length).toBeGreaterThan(0);
    for (const handle of handles) {
      const path = `/v1/recall/${handle}?agent=${agent}&session=${session}`;
      const recalled = await api.read(recalledTextSchema, 'GET', path, undefined, { accept: 'application/json' });
      expect(recalled.sha256).toBe(sha256Hex(recalled.text));
      // The words of one message, or the source of several messages, one a line.
      const messages = recalled.text.split(/,\n(?=\{)/u);
      const stands = said.includes(recalled.text) || messages.every((message) => AIRLINE.source.includes(message));
      expect([handle, stands]).toEqual([handle, true]);
    }
    const [shown = ''] = handles;
    const recall = (...more: readonly string[]) =>
      runToEnd(entryOf('cli'), [
        ...['recall', `[recall ${shown}]`, '--agent', agent, '--session', session],
        ...['--url', platform.url, '--key', platform.key, ...more],
      ]);
    const whole = await recall();
    expect(whole.exitCode).toBe(0);
    expect(await recall('--bytes', '0-3')).toMatchObject({
      exitCode: 0,
      output: expect.stringContaining(whole.output.slice(0, 4)),
    });
    expect(await recall('--query', 'no line says this')).toMatchObject({
      exitCode: 1,
      output: expect.stringContaining('None of'),
    });
    expect(await recall('--lines', '9000-9001')).toMatchObject({
      exitCode: 1,
      output: expect.stringContaining('FIELD_OUT_OF_RANGE'),
    });

    const receipt = await api.send('GET', compaction.links.receipt);
    expect(receiptSchema.parse(JSON.parse(receipt.text)).hash).toBe(compaction.receipt_hash);
    const folder = mkdtempSync(join(tmpdir(), 'holdfast-receipt-'));
    try {
      const fileOf = (name: string, text: string): string => {
        const path = join(folder, name);
        writeFileSync(path, text);
        return path;
      };
      const verify = (output: string) =>
        runToEnd(entryOf('cli'), [
          ...['verify', fileOf('receipt.json', receipt.text)],
          ...['--input', fileOf('input.json', AIRLINE.source), '--output', fileOf('output.json', output)],
        ]);
      expect(await verify(window)).toEqual({ exitCode: 0, output: expect.stringContaining('The receipt holds') });
      const forged = window.replace('K1NW8N', 'K1NW8M');
      expect(forged).not.toBe(window);
      expect(await verify(forged)).toEqual({ exitCode: 1, output: expect.stringContaining('does not hold') });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('is refused what cannot fit, and the repair makes it pass', async () => {
    const budget = (await budgetOf(agent, 0)) + 1;
    const refused = await api.compact({ agent, session: 'tight', budget_tokens: budget }, AIRLINE.source);
    expect(refused.compaction).toMatchObject({ outcome: 'refused', refusal: { code: 'BUDGET_UNREACHABLE' } });
    expect(refused).toMatchObject({ origin: 'as_sent', window: AIRLINE.source });
    const repairs = refused.compaction.refusal?.repairs ?? [];
    const repair = repairs.find(({ kind }) => kind === 'raise_budget');
    if (repair?.kind !== 'raise_budget') throw new Error(`no budget is named: ${JSON.stringify(repairs)}`);
    expect(repair.budget_tokens).toBeGreaterThan(budget);
    const ask = { agent, session: 'tight', budget_tokens: repair.budget_tokens };
    const { compaction } = await api.compact(ask, AIRLINE.source);
    expect(compaction).toMatchObject({ outcome: 'compacted', refusal: null });
    expect(compaction.tokens.after).toBeLessThanOrEqual(repair.budget_tokens);
  });
});

describe('a window of marked elements', () => {
  it('is refused while one of them is ambiguous; what is safe is kept, and the next window passes', async () => {
    const [agent, session] = ['own-loop', 'marked'];
    await putAgent(agent, { mode: 'enforce', recall: 'tool' });
    const rule = 'Never touch prod.';
    const elements = [
      { id: 'rule', role: 'user', content: rule, regenerable: false, task_critical: true },
      { id: 'wild', role: 'tool', content: 'who knows', regenerable: false, task_critical: false },
      {
        ...{ id: 'pay', role: 'tool', content: 'paid', regenerable: true, idempotent: false },
        ...{ action: 'pay', target: 'W1', status: 'done' },
      },
    ];
    const ask = { agent, session, format: 'elements', budget_tokens: 1_000 };
    const refused = await api.compact(ask, JSON.stringify(elements));
    expect(refused.compaction).toMatchObject({
      outcome: 'refused',
      version: null,
      refusal: { code: 'AMBIGUOUS_ELEMENT', elements: [{ element_id: 'wild' }] },
    });
    expect(refused.compaction.refusal?.repairs.length).toBeGreaterThan(0);
    expect(refused).toMatchObject({ origin: 'as_sent', window: JSON.stringify(elements) });
    const path = sessionPath(agent, session);
    const records = await api.read(recordPageSchema, 'GET', `${path}/records`);
    expect(records.items.map(({ content }) => content)).toContain(rule);
    const effects = await api.read(effectPageSchema, 'GET', `${path}/effects`);
    expect(effects.items).toEqual([expect.objectContaining({ action: 'pay', target: 'W1' })]);
    const next = await api.compact(ask, JSON.stringify(elements.filter(({ id }) => id !== 'wild')));
    expect(next.compaction).toMatchObject({ refusal: null, error_code: null });
    expect(['compacted', 'unchanged']).toContain(next.compaction.outcome);
  });
});

describe('an agent that only observes', () => {
  it('gets back the window that it sent, byte for byte, and what would have become of it', async () => {
    const agent = 'watched';
    await putAgent(agent, { mode: 'observe', recall: 'none', tool_contracts: CONTRACTS });
    const budget = await budgetOf(agent, 0.4);
    const { compaction, window, origin } = await api.compact(
      { agent, session: 'seen', budget_tokens: budget },
      AIRLINE.source,
    );
    expect(compaction).toMatchObject({ mode: 'observe', outcome: 'unchanged', version: null, recall_tool: null });
    expect(compaction.tokens.after).toBeLessThan(compaction.tokens.before ?? 0);
    expect({ origin, window }).toEqual({ origin: 'as_sent', window: AIRLINE.source });
  });
});

/** Every text of a window in the format of OpenAI. */
function contentsOf(source: string): readonly (string | null)[] {
  return (JSON.parse(source) as readonly { readonly content: string | null }[]).map(({ content }) => content);
}
