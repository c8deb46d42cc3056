import fc from 'fast-check';
import { compact } from '../src/compact';
import type { Outcome, ProvenWindow } from '../src/outcome';
import type { PassRequest } from '../src/pass';
import { DEFAULT_POLICY } from '../src/plan/policy';
import type { SessionStore, TokenCounter } from '../src/ports';
import { verifyReceipt } from '../src/receipt/verify-receipt';
import { shownHandles } from '../src/render/marks';
import { formatOf } from '../src/formats';
import { DEFAULT_READ_LIMITS } from '../src/formats/window-format';
import { MemorySessionStore } from '../src/testing';
import type { FormatName } from '../src/terms';
import type { ToolContracts } from '../src/classify/tool-contract';
import type { ReadWindow } from '../src/window/element';
import { appendTurns, envelopeOf, PROVIDER_FORMATS, turns, writeWindow } from './session-windows';

/** Finer than a tokenizer, so that short generated texts are worth compacting. */
const counter: TokenCounter = {
  name: 'characters/2',
  exact: true,
  count: (texts) => Promise.resolve(texts.map((text) => Math.ceil(text.length / 2))),
};

const contracts: ToolContracts = {
  get_order: { effect: 'read' },
  list_files: { effect: 'read' },
  refund_order: { effect: 'write', target: ['$.id'], outcome: { failed_when: [{ prefix: 'Error' }], atomic: true } },
};

function requestFor(format: FormatName, source: string, over: Partial<PassRequest> = {}): PassRequest {
  return {
    format,
    source,
    mode: 'enforce',
    recall: 'tool',
    contracts,
    policy: { ...DEFAULT_POLICY, onAmbiguous: 'hold' },
    budgetTokens: 1_000_000,
    aimTokens: 0,
    sealKey: 'secret',
    ...over,
  };
}

function read(format: FormatName, source: string): ReadWindow {
  const answer = formatOf(format).read(source, DEFAULT_READ_LIMITS);
  if (answer.kind !== 'window') throw new Error(JSON.stringify(answer));
  return answer.window;
}

async function pass(store: MemorySessionStore, request: PassRequest): Promise<Outcome> {
  const outcome = await compact(request, { store, counter });
  if (outcome.outcome === 'compacted') {
    store.finishPass({ handedOut: outcome.proven.manifest, receipt: outcome.proven.receipt });
  }
  return outcome;
}

function provenOf(outcome: Outcome): ProvenWindow | undefined {
  if (outcome.outcome === 'compacted') return outcome.proven;
  return outcome.outcome === 'refused' ? outcome.bestProven : outcome.would;
}

function failing(outcome: Outcome): string {
  return outcome.outcome === 'refused' ? JSON.stringify(outcome.refusal) : '';
}

const settings = { numRuns: 60 };
const cases = fc.tuple(fc.constantFrom(...PROVIDER_FORMATS), turns);

describe('the laws of a pass', () => {
  it('never fails its own proof', async () => {
    await fc.assert(
      fc.asyncProperty(cases, async ([format, conversation]) => {
        const source = writeWindow(format, conversation);
        const outcome = await pass(new MemorySessionStore('s'), requestFor(format, source));
        expect(failing(outcome)).toBe('');
      }),
      settings,
    );
  });

  it('loses and alters nothing that a person or the system said', async () => {
    await fc.assert(
      fc.asyncProperty(cases, async ([format, conversation]) => {
        const source = writeWindow(format, conversation);
        const proven = provenOf(await pass(new MemorySessionStore('s'), requestFor(format, source)));
        const output = proven?.window ?? source;
        const said = (window: string) =>
          read(format, window)
            .parts.filter(({ role, kind, text }) => kind === 'text' && role === 'user' && !text.startsWith('<holdfast'))
            .map(({ text }) => text);
        expect(said(output)).toEqual(said(source));
        expect(output).toContain('You are a careful agent.');
      }),
      settings,
    );
  });

  it('accounts for every element exactly once, and the receipt proves it offline', async () => {
    await fc.assert(
      fc.asyncProperty(cases, async ([format, conversation]) => {
        const source = writeWindow(format, conversation);
        const proven = provenOf(await pass(new MemorySessionStore('s'), requestFor(format, source)));
        fc.pre(proven !== undefined);
        expect(proven.receipt.elements.map(({ path }) => path)).toEqual(
          read(format, source).parts.map(({ path }) => path),
        );
        expect(new Set(proven.receipt.elements.map((element) => element.element_id)).size).toBe(
          proven.receipt.elements.length,
        );
        expect(verifyReceipt(proven.receipt, { input: source, output: proven.window })).toEqual([]);
      }),
      settings,
    );
  });

  it('secures before it reduces: a store that refuses leaves no output', async () => {
    await fc.assert(
      fc.asyncProperty(cases, async ([format, conversation]) => {
        const store = new MemorySessionStore('s');
        const broken: SessionStore = Object.assign(Object.create(store) as SessionStore, {
          secure: () => Promise.reject(new Error('disk full')),
        });
        const request = requestFor(format, writeWindow(format, conversation));
        await expect(compact(request, { store: broken, counter })).rejects.toThrow('disk full');
      }),
      { numRuns: 10 },
    );
  });

  it('brings back the original bytes of everything that shows a mark', async () => {
    await fc.assert(
      fc.asyncProperty(cases, async ([format, conversation]) => {
        const store = new MemorySessionStore('s');
        const source = writeWindow(format, conversation);
        const proven = provenOf(await pass(store, requestFor(format, source)));
        fc.pre(proven !== undefined);
        for (const element of proven.receipt.elements) {
          if (element.handle === undefined) continue;
          const original = await store.findOriginal(element.handle);
          const part = read(format, source).parts.find(({ path }) => path === element.path);
          // Steps that left together are archived as the messages that they were; equal results share one original.
          if (original?.text !== part?.text) expect(source).toContain(original?.text.split(',\n')[0]);
        }
        const marks = read(format, proven.window).parts.flatMap(({ text }) => shownHandles(text));
        expect((await store.resolveHandles(marks)).size).toBe(new Set(marks).size);
      }),
      settings,
    );
  });

  it('ledgers every fired effect once, whatever becomes of its element', async () => {
    await fc.assert(
      fc.asyncProperty(cases, async ([format, conversation]) => {
        const store = new MemorySessionStore('s');
        await pass(store, requestFor(format, writeWindow(format, conversation)));
        const { effects } = await store.load();
        const fired = conversation.flatMap((turn) => (turn.kind === 'calls' ? turn.calls : []));
        const writes = fired.filter(({ tool }) => tool === 'refund_order');
        expect(
          effects.filter(({ action }) => action === 'refund_order').map(({ target, status }) => [target, status]),
        ).toEqual(
          writes.map(({ argument, result }) => [argument, result.startsWith('Error') ? 'failed' : 'succeeded']),
        );
        expect(effects.filter(({ action }) => action === 'notify')).toHaveLength(
          fired.filter(({ tool }) => tool === 'notify').length,
        );
      }),
      settings,
    );
  });

  it('leaves its own output as it is', async () => {
    await fc.assert(
      fc.asyncProperty(cases, async ([format, conversation]) => {
        const store = new MemorySessionStore('s');
        const first = await pass(store, requestFor(format, writeWindow(format, conversation)));
        if (first.outcome !== 'compacted') return;
        const second = await pass(store, requestFor(format, first.proven.window));
        expect({ outcome: second.outcome, refusal: failing(second) }).toEqual({ outcome: 'unchanged', refusal: '' });
      }),
      settings,
    );
  });

  it('changes nothing when an old window is sent again', async () => {
    await fc.assert(
      fc.asyncProperty(cases, async ([format, conversation]) => {
        const store = new MemorySessionStore('s');
        const source = writeWindow(format, conversation);
        await pass(store, requestFor(format, source));
        const before = await store.load();
        await pass(store, requestFor(format, source));
        const after = await store.load();
        expect([after.records, after.effects, after.nextElement]).toEqual([
          before.records,
          before.effects,
          before.nextElement,
        ]);
      }),
      settings,
    );
  });

  it('goes on from its own output: appended turns are new, everything else keeps its identity', async () => {
    await fc.assert(
      fc.asyncProperty(cases, turns, async ([format, conversation], more) => {
        const store = new MemorySessionStore('s');
        const first = await pass(store, requestFor(format, writeWindow(format, conversation)));
        if (first.outcome !== 'compacted') return;
        const known = await store.load();
        const second = await pass(store, requestFor(format, appendTurns(format, first.proven.window, more)));
        expect(failing(second)).toBe('');
        const { effects } = await store.load();
        const isEffect = ({ tool }: { tool: string }) => tool === 'refund_order' || tool === 'notify';
        const fresh = more.flatMap((turn) => (turn.kind === 'calls' ? turn.calls.filter(isEffect) : []));
        expect(effects.length).toBe(known.effects.length + fresh.length);
        expect(effects.slice(0, known.effects.length)).toEqual(known.effects);
      }),
      settings,
    );
  });

  it('stays within its budget or refuses, and refuses with a budget that works', async () => {
    await fc.assert(
      fc.asyncProperty(cases, fc.integer({ min: 1, max: 3_000 }), async ([format, conversation], budgetTokens) => {
        const source = writeWindow(format, conversation);
        const outcome = await pass(new MemorySessionStore('s'), requestFor(format, source, { budgetTokens }));
        if (outcome.outcome === 'compacted') expect(outcome.proven.tokensAfter).toBeLessThanOrEqual(budgetTokens);
        if (outcome.outcome === 'unchanged') expect(outcome.tokensBefore).toBeLessThanOrEqual(budgetTokens);
        if (outcome.outcome !== 'refused') return;
        expect(outcome.refusal.code).toBe('BUDGET_UNREACHABLE');
        const raise = outcome.refusal.repairs.find((repair) => repair.kind === 'raise_budget');
        const raised = raise?.kind === 'raise_budget' ? raise.budget_tokens : 0;
        const again = await pass(new MemorySessionStore('s'), requestFor(format, source, { budgetTokens: raised }));
        expect(again.outcome).not.toBe('refused');
      }),
      settings,
    );
  });

  it('hands out what the provider accepts, unknown fields included', async () => {
    await fc.assert(
      fc.asyncProperty(cases, async ([format, conversation]) => {
        const source = writeWindow(format, conversation);
        const proven = provenOf(await pass(new MemorySessionStore('s'), requestFor(format, source)));
        fc.pre(proven !== undefined);
        expect(formatOf(format).validate(proven.window)).toEqual(formatOf(format).validate(source));
        const rest = envelopeOf(format, proven.window);
        const given = envelopeOf(format, source);
        expect(rest).toEqual(given);
      }),
      settings,
    );
  });

  it('is deterministic', async () => {
    await fc.assert(
      fc.asyncProperty(cases, async ([format, conversation]) => {
        const request = requestFor(format, writeWindow(format, conversation));
        const [one, two] = [
          await pass(new MemorySessionStore('s'), request),
          await pass(new MemorySessionStore('s'), request),
        ];
        expect(one).toEqual(two);
      }),
      settings,
    );
  });
});
