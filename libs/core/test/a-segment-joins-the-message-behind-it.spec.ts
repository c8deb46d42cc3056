import { compact } from '../src/compact';
import { formatOf } from '../src/formats';
import { DEFAULT_POLICY } from '../src/plan/policy';
import { verifyReceipt } from '../src/receipt/verify-receipt';
import type { FormatName } from '../src/terms';
import { CharacterCounter, MemorySessionStore } from '../src/testing';

const log = Array.from({ length: 40 }, (_, line) => `line ${String(line)} of the log`).join('\\n');

/** Parts that a pass must not touch: numbers that no double keeps, order and white space of their own. */
const CASES: readonly (readonly [FormatName, string, string, string])[] = [
  [
    'gemini',
    '{ "functionCall": {"name":"ask_person","args":{"n":1.0, "big":12345678901234567890} }, "thoughtSignature":"c2ln" }',
    `{"role":"user","parts":[{"text":"Look."}]},
     {"role":"model","parts":[{"functionCall":{"name":"get_log","args":{}}}]},
     {"role":"user","parts":[{"functionResponse":{"name":"get_log","response":{"output":"${log}"}}}]}`,
    '"role": "model", "parts": [NEXT]',
  ],
  [
    'bedrock-converse',
    '{ "toolUse": {"toolUseId":"a","name":"ask_person","input":{"n":1.0, "big":12345678901234567890} } }',
    `{"role":"user","content":[{"text":"Look."}]},
     {"role":"assistant","content":[{"toolUse":{"toolUseId":"l","name":"get_log","input":{}}}]},
     {"role":"user","content":[{"toolResult":{"toolUseId":"l","content":[{"text":"${log}"}]}}]}`,
    '"role": "assistant", "content": [NEXT]',
  ],
];

it.each(CASES)('a segment is a text of its own in the message behind it: %s', async (format, next, steps, message) => {
  const source = `[${steps}, {${message.replace('NEXT', next)}}]`;
  const outcome = await compact(
    {
      format,
      source,
      mode: 'enforce',
      recall: 'tool',
      contracts: { get_log: { effect: 'read' } },
      policy: { ...DEFAULT_POLICY, onAmbiguous: 'hold', tailMessages: 1 },
      budgetTokens: 100_000,
      aimTokens: 10,
      sealKey: 'secret',
    },
    { store: new MemorySessionStore('s'), counter: new CharacterCounter() },
  );
  if (outcome.outcome !== 'compacted') throw new Error(JSON.stringify(outcome));
  const { window, receipt } = outcome.proven;
  expect(formatOf(format).validate(window)).toEqual([]);
  expect(verifyReceipt(receipt, { input: source, output: window })).toEqual([]);
  expect(window).toContain(next);
  const written = JSON.parse(window) as { role: string; parts?: { text?: string }[]; content?: { text?: string }[] }[];
  const [first, second, ...more] = written;
  expect(more).toEqual([]);
  expect(first?.role).toBe('user');
  const joined = second?.parts ?? second?.content ?? [];
  expect(joined).toHaveLength(2);
  expect(joined[0]?.text).toMatch(/^\[Your steps, shortened; recall h_[0-9a-z]{10}\]\nget_log/u);
  expect(joined[1]).toEqual(JSON.parse(next));
});
