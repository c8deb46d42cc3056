import fc from 'fast-check';
import { InvalidWindowError } from '../src/errors';
import { formatOf } from '../src/formats';
import { verifyReceipt } from '../src/receipt/verify-receipt';
import { MISSING_RESULT_TEXT } from '../src/window/missing-result';
import { compactOf } from './compact-of-window';
import { listOf, PROVIDER_FORMATS, turns, withList, writeWindow } from './session-windows';

/** What a client that crashes, retries or races does to the calls and results of a window. */
const damage = fc.record({
  kind: fc.constantFrom('drop', 'repeat', 'move'),
  of: fc.constantFrom('call', 'result', 'message'),
  at: fc.nat(),
  to: fc.nat(),
});
type Damage = typeof damage extends fc.Arbitrary<infer D> ? D : never;

const CALL = /"(?:tool_calls|tool_use|toolUse|tool-call|functionCall|function_call)"/u;
const RESULT = /"(?:tool_result|toolResult|tool-result|functionResponse|function_call_output|tool_call_id)"/u;

/** Lists of a window whose items are calls or results: the list of messages, and those inside messages. */
function placesOf(list: unknown[], of: Damage['of']): { readonly holder: unknown[]; readonly index: number }[] {
  const matches = (item: unknown): boolean => {
    const text = JSON.stringify(item);
    return of === 'message' || (of === 'call' ? CALL : RESULT).test(text);
  };
  return list.flatMap((item, index) => {
    if (!matches(item)) return [];
    const inner = Object.values(item as Record<string, unknown>).filter((value) => Array.isArray(value));
    const inside = of === 'message' ? [] : inner.flatMap((holder) => holder.map((_, at) => ({ holder, index: at })));
    return [{ holder: list, index }, ...inside];
  });
}

function hurt(list: unknown[], { kind, of, at, to }: Damage): void {
  const places = placesOf(list, of);
  const place = places[at % Math.max(1, places.length)];
  if (place === undefined) return;
  const { holder, index } = place;
  const [taken] = kind === 'repeat' ? [structuredClone(holder[index])] : holder.splice(index, 1);
  if (kind !== 'drop') holder.splice(to % (holder.length + 1), 0, taken);
}

const PAIRS = new Set(['TOOL_RESULT_MISSING', 'TOOL_RESULT_ORPHAN', 'ELEMENT_ID_DUPLICATE']);

describe('a window whose calls and results a client lost, repeated or mixed up', () => {
  it.each(PROVIDER_FORMATS)('comes out with its pairs whole, or is refused with the place: %s', async (format) => {
    let read = 0;
    await fc.assert(
      fc.asyncProperty(turns, fc.array(damage, { minLength: 1, maxLength: 3 }), async (conversation, damages) => {
        const request = JSON.parse(writeWindow(format, conversation)) as object;
        const list = listOf(format, request);
        for (const one of damages) hurt(list, one);
        const source = JSON.stringify(withList(format, request, list));
        const outcome = await compactOf(format, source);
        if (outcome instanceof InvalidWindowError) {
          for (const { path } of outcome.problems) expect(path).toMatch(/^(?:$|\/)/u);
          return;
        }
        read += 1;
        if (outcome.outcome === 'refused') expect(outcome.refusal.code).not.toBe('PROOF_FAILED');
        if (outcome.outcome !== 'compacted') return;
        const { window, receipt } = outcome.proven;
        expect(
          formatOf(format)
            .validate(window)
            .filter(({ code }) => PAIRS.has(code)),
        ).toEqual([]);
        expect(verifyReceipt(receipt, { input: source, output: window })).toEqual([]);
      }),
      { numRuns: 60, seed: 20_261 },
    );
    expect(read).toBeGreaterThan(15);
  });

  it.each(PROVIDER_FORMATS)('never takes a call that nothing answered for a success: %s', async (format) => {
    const calls = [
      { tool: 'refund_order', argument: 'W1', result: 'done' },
      { tool: 'refund_order', argument: 'W2', result: 'done' },
    ];
    const conversation = [
      { kind: 'calls', calls },
      { kind: 'human', text: `Are you there? ${'Say something. '.repeat(40)}` },
      { kind: 'model', text: 'Yes. '.repeat(200) },
      { kind: 'human', text: 'Then go on.' },
      { kind: 'model', text: 'I do.' },
      { kind: 'human', text: 'Good.' },
    ] as const;
    const request = JSON.parse(writeWindow(format, conversation)) as object;
    const list = listOf(format, request).map((item) => withoutSecondResult(item));
    const source = JSON.stringify(
      withList(
        format,
        request,
        list.filter((item) => item !== undefined),
      ),
    );
    expect(formatOf(format).validate(source)).toMatchObject([{ code: 'TOOL_RESULT_MISSING' }]);
    const outcome = await compactOf(format, source);
    if (!('outcome' in outcome) || outcome.outcome !== 'compacted') throw new Error(JSON.stringify(outcome));
    const { window, receipt } = outcome.proven;
    expect(formatOf(format).validate(window)).toEqual([]);
    expect(window).toContain(MISSING_RESULT_TEXT);
    const statuses = receipt.effects.map(({ status }) => status);
    expect(statuses).toEqual(['succeeded', 'fired']);
  });
});

/** The item without the result of the second call; undefined where it is nothing else. */
function withoutSecondResult(item: unknown): unknown {
  const text = JSON.stringify(item);
  if (!RESULT.test(text) || !text.includes('call_0_1')) return item;
  const lists = Object.entries(item as Record<string, unknown>).filter(([, value]) => Array.isArray(value));
  const [key, parts] = lists[0] ?? [];
  if (key === undefined) return undefined;
  const left = (parts as unknown[]).filter((part) => !JSON.stringify(part).includes('call_0_1'));
  return { ...(item as object), [key]: left };
}
