import { compact } from '../src/compact';
import { formatOf } from '../src/formats';
import type { Outcome } from '../src/outcome';
import { DEFAULT_POLICY } from '../src/plan/policy';
import type { FormatName, RecallSetting } from '../src/terms';
import { CharacterCounter, MemorySessionStore } from '../src/testing';

const prose = (topic: string): string =>
  Array.from({ length: 30 }, (_, line) => `Row ${String(line)} of the ${topic} says little.`).join(' ');
const sealed = 'gAAAAAB'.repeat(150);

async function pass(
  format: FormatName,
  list: readonly object[],
  budgetTokens: number,
  recall: RecallSetting = 'tool',
): Promise<Outcome> {
  return compact(
    {
      format,
      source: JSON.stringify(list),
      mode: 'enforce',
      recall,
      contracts: {},
      policy: { ...DEFAULT_POLICY, onAmbiguous: 'hold' },
      budgetTokens,
      sealKey: 'secret',
    },
    { store: new MemorySessionStore('s'), counter: new CharacterCounter() },
  );
}

/** The window of a pass, which its provider accepts. */
async function outputOf(...given: Parameters<typeof pass>): Promise<string> {
  const outcome = await pass(...given);
  const proven = outcome.outcome === 'refused' ? outcome.bestProven : 'proven' in outcome ? outcome.proven : undefined;
  if (proven === undefined) return JSON.stringify(given[1]);
  expect(formatOf(given[0]).validate(proven.window)).toEqual([]);
  return proven.window;
}

const said = (role: string, content: string): object => ({ role, content });
const reasoning = (id: string): object => ({ type: 'reasoning', id, summary: [], encrypted_content: sealed });
const answer = (text: string): object => ({
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  content: [{ type: 'output_text', text, annotations: [] }],
});
const call = { type: 'function_call', id: 'fc_1', call_id: 'c1', name: 'look', arguments: '{"shelf":4}' };
const output = { type: 'function_call_output', call_id: 'c1', output: 'found 3' };

describe('reasoning of OpenAI’s Responses', () => {
  const finished = [said('user', 'And now?'), said('assistant', 'Now this.'), said('user', 'Go on.')];

  it('leaves with the words that it led to once its turn is finished', async () => {
    const window = await outputOf(
      'openai-responses',
      [said('user', 'Look.'), reasoning('rs_1'), answer(prose('ledger')), ...finished],
      500,
    );
    expect(window).not.toContain('rs_1');
    expect(window).not.toContain('msg_1');
    expect(window).toContain('[Your steps, shortened; recall h_');
    expect(window).toContain('of the ledger');
  });

  it('leaves with its words where nothing can be recalled', async () => {
    const list = [said('user', 'Look.'), reasoning('rs_1'), answer(prose('ledger')), ...finished];
    const window = await outputOf('openai-responses', list, 250, 'none');
    expect(window).not.toContain('rs_1');
    expect(window).toContain('[Your steps, shortened]');
  });

  it('leaves with the calls behind the words that it led to', async () => {
    const window = await outputOf(
      'openai-responses',
      [said('user', 'Look.'), reasoning('rs_1'), answer('I look.'), call, output, answer2(), ...finished],
      150,
    );
    expect(window).not.toContain('rs_1');
    expect(window).not.toContain('fc_1');
  });

  it('leaves with a search of the provider’s', async () => {
    const search = { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'q' } };
    const window = await outputOf(
      'openai-responses',
      [said('user', 'Look.'), reasoning('rs_1'), search, reasoning('rs_2'), answer('Found.'), ...finished],
      150,
    );
    expect(window).not.toMatch(/rs_|ws_1|msg_1/u);
  });

  it('stays with everything that it led to while its turn is open', async () => {
    const list = [said('user', 'Look.'), reasoning('rs_1'), answer(prose('ledger')), call, output];
    expect(await outputOf('openai-responses', list, 50)).toContain(JSON.stringify(list.slice(1)).slice(1, -1));
  });

  it('stays beside a part that is not known', async () => {
    const list = [said('user', 'Look.'), reasoning('rs_1'), { type: 'brand_new', id: 'x_1' }, ...finished];
    expect(await outputOf('openai-responses', list, 50)).toContain(JSON.stringify(reasoning('rs_1')));
  });

  function answer2(): object {
    return said('assistant', 'Three on shelf 4.');
  }
});

describe('signatures of Gemini', () => {
  const user = (text: string): object => ({ role: 'user', parts: [{ text }] });
  const model = (...parts: object[]): object => ({ role: 'model', parts });
  const thought = { text: prose('thought'), thought: true };
  const signedCall = {
    functionCall: { name: 'look', args: { shelf: 4, why: prose('shelf') } },
    thoughtSignature: sealed,
  };
  const response = { role: 'user', parts: [{ functionResponse: { name: 'look', response: { output: 'found 3' } } }] };

  it('leave with their words once their turn is finished', async () => {
    const reply = model(thought, { text: prose('answer'), thoughtSignature: sealed });
    const window = await outputOf('gemini', [user('Look.'), reply, user('Thanks.')], 250);
    expect(window).not.toContain('thought');
    expect(window).toContain('of the answer');
  });

  it('of the newest step stay while the turn is open', async () => {
    const list = [user('Look.'), model(signedCall), response];
    expect(await outputOf('gemini', list, 20)).toContain(JSON.stringify(signedCall));
  });

  it('of earlier steps leave only where the budget cannot be met otherwise', async () => {
    const step = [model(signedCall), response];
    const old = Array.from({ length: 8 }, (_, turn) => [user(`Part ${String(turn)}?`), model({ text: prose('old') })]);
    const list = [...old.flat(), user('Look.'), ...step, ...step, ...step];
    const signatures = (window: string): number => window.split('thoughtSignature').length - 1;
    const roomy = await outputOf('gemini', list, 2_000);
    expect(signatures(roomy)).toBe(3);
    const tight = await outputOf('gemini', list, 700);
    expect(signatures(tight)).toBeLessThan(3);
    expect(signatures(tight)).toBeGreaterThan(0);
  });
});

it('a search of Anthropic’s leaves whole from a finished turn, its effect noted', async () => {
  const content = [
    { type: 'server_tool_use', id: 's1', name: 'web_search', input: { query: 'ports' } },
    {
      type: 'web_search_tool_result',
      tool_use_id: 's1',
      content: [{ type: 'web_search_result', url: 'https://a.example/ports', encrypted_content: sealed }],
    },
    { type: 'text', text: 'Port 8080 it is.' },
  ];
  const list = [said('user', 'Which port?'), { role: 'assistant', content }, said('user', 'Thanks.')];
  const window = await outputOf('anthropic', list, 200);
  expect(window).not.toContain('srvtoolu');
  expect(window).not.toContain('encrypted_content');
  expect(window).toContain('web_search ports');
  expect(window).toContain('Port 8080 it is.');
  expect(await outputOf('anthropic', list.slice(0, 2), 20)).toContain(JSON.stringify(content));
});
