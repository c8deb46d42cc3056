import { compact } from '../src/compact';
import { DEFAULT_POLICY } from '../src/plan/policy';
import { verifyReceipt } from '../src/receipt/verify-receipt';
import { CharacterCounter, MemorySessionStore } from '../src/testing';

const filler = 'the quick brown fox looks at line after line of a log that says nothing new today. '.repeat(20);
const HALF = '"cut \\ud83d here"';

/** A request of Anthropic's API with JSON of the caller's in a block of the assistant and one of the result. */
function request(block: string, result: string): string {
  const messages = [
    '{"role":"user","content":"Write it."}',
    '{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"read","input":{}}]}',
    `{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":${JSON.stringify(filler)}}]}`,
    `{"role":"assistant","content":[${block}]}`,
    `{"role":"user","content":[{"type":"tool_result","tool_use_id":"b","content":${result}}]}`,
    '{"role":"assistant","content":"Done."}',
    '{"role":"user","content":"And now?"}',
    '{"role":"assistant","content":"Nothing."}',
    '{"role":"user","content":"Go on."}',
  ];
  return `{"model":"claude-sonnet-4-5","messages":[${messages.join(',')}]}`;
}

const CALL = '{"type":"tool_use","id":"b","name":"write","input":{"path":"/a"}}';

describe('half a surrogate pair fails nothing', () => {
  it.each([
    [
      'in the arguments of a call',
      request(`{"type":"tool_use","id":"b","name":"write","input":{"t":${HALF}}}`, '"ok"'),
    ],
    ['in a block that the format does not know', request(`${CALL},{"type":"odd","value":${HALF}}`, '"ok"')],
    [
      'in an unknown block of a result',
      request(CALL, `[{"type":"text","text":${HALF}},{"type":"odd","value":${HALF}}]`),
    ],
    ['in an image', request(CALL, `[{"type":"image","source":{"type":"url","url":${HALF}}}]`)],
  ])('%s', async (_, source) => {
    const store = new MemorySessionStore('s');
    const settings = {
      ...({ format: 'anthropic', mode: 'enforce', recall: 'tool', budgetTokens: 100_000, aimTokens: 0 } as const),
      contracts: { read: { effect: 'read' }, write: { effect: 'write' } } as const,
      // The tail stays, so that the half pair stands in the output.
      policy: { ...DEFAULT_POLICY, onAmbiguous: 'hold', tailMessages: 6 } as const,
      sealKey: 'k',
    };
    const ports = { store, counter: new CharacterCounter() };
    const first = await compact({ ...settings, source }, ports);
    if (first.outcome !== 'compacted') throw new Error(JSON.stringify(first));
    const { window, receipt, manifest } = first.proven;
    expect(verifyReceipt(receipt, { input: source, output: window })).toEqual([]);
    store.finishPass({ handedOut: manifest, receipt });
    const second = await compact({ ...settings, source: window }, ports);
    expect(second).toMatchObject({ outcome: 'unchanged' });
    expect((await store.load()).effects).toHaveLength(1);
  });
});
