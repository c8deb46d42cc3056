import fc from 'fast-check';
import { chatCall, classifyWindow } from '../../test/classify-window';
import type { ToolContracts } from './tool-contract';

const contracts: ToolContracts = {
  get: { effect: 'read' },
  pay: { effect: 'write', outcome: { failed_when: [{ prefix: 'Error' }], atomic: true } },
  save: { effect: 'converging' },
  bash: { effect: 'exec' },
};

const WORDS = fc.oneof(
  fc.string({ minLength: 1 }).filter((text) => text.trim() !== ''),
  fc.constantFrom(
    'yes',
    'Shall I proceed?',
    '<system-reminder>x</system-reminder>',
    'Error: no',
    'step 2 of 3',
    '{"status":"pending","job_id":"j1"}',
  ),
);
const TURN = fc.oneof(
  WORDS.map((content) => [{ role: 'user', content }]),
  WORDS.map((content) => [{ role: 'assistant', content }]),
  fc
    .record({
      tool: fc.constantFrom('get', 'pay', 'save', 'bash', 'other', 'constructor'),
      args: fc.dictionary(fc.string(), fc.string()),
      result: WORDS,
    })
    .map(({ tool, args, result }) => ({ tool, args, result })),
);

it('in window order, and every call that may have fired is ledgered once, whatever its class', () => {
  fc.assert(
    fc.property(
      fc.array(TURN, { maxLength: 12 }),
      fc.constantFrom('tool' as const, 'none' as const),
      (turns, recall) => {
        const messages = turns.flatMap((turn, at) =>
          Array.isArray(turn) ? turn : chatCall(turn.tool, turn.args, turn.result, `call_${String(at)}`),
        );
        const window = classifyWindow(
          'openai-chat',
          { messages: [{ role: 'user', content: 'Go.' }, ...messages] },
          { contracts, recall },
        );
        const ids = window.elements.map(({ element }) => element.id);
        expect(ids).toEqual(ids.map((_, at) => `e${String(at + 1)}`));
        const fired = window.elements.filter(({ element }) => element.kind === 'call' && element.call?.tool !== 'get');
        expect(window.effects.map(({ occurrence }) => occurrence)).toEqual(fired.map(({ element }) => element.id));
        for (const { element, rule, evidence, view, refetchable } of window.elements) {
          expect(rule).not.toBe('no_rule');
          expect(evidence).not.toBe('');
          // Without recall, what may leave can be called again, or nobody needs it.
          if (recall === 'none' && view === 'recoverable') expect(refetchable).toBe(true);
          if (element.role === 'user' && view === 'disposable')
            throw new Error('a text in the user role was disposable');
        }
        for (const record of window.records) {
          const source = window.elements.find(({ element }) => element.id === record.elementId);
          expect(source?.element.text.includes(record.content)).toBe(true);
          if (source?.element.kind === 'result') expect(record.trust).toBe('tool');
        }
      },
    ),
  );
});
