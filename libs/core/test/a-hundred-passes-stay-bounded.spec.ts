import type { Outcome } from '../src/outcome';
import type { StoredEffect, StoredRecord } from '../src/ports';
import { shownHandles } from '../src/render/marks';
import { emptySession, grow, turnOf, type ChatMessage, type GrowingSession } from './growing-session';

const AIM = 2_000;
/** Older segments are made anew where the floor is 1.3 times the aim, and what stands may be a tenth above the floor. */
const BOUND = AIM * 1.45;
const PASSES = 100;

interface Played {
  readonly pass: number;
  readonly outcome: Outcome;
  readonly session: GrowingSession;
  readonly effects: readonly StoredEffect[];
  readonly records: readonly StoredRecord[];
}

/** A person speaks in every tenth turn; the agent works on by itself in the others. */
const stepsOf = (turn: number): readonly ChatMessage[] => (turn % 10 === 0 ? turnOf(turn) : turnOf(turn).slice(1));
const textOf = ({ window }: GrowingSession): string =>
  window.map(({ content }) => (typeof content === 'string' ? content : '')).join('\n\n');

describe('a session of a hundred passes', () => {
  const played: Played[] = [];

  beforeAll(async () => {
    let session = (await grow(emptySession(), [{ role: 'user', content: 'Work through the orders.' }], AIM)).session;
    for (let pass = 1; pass <= PASSES; pass += 1) {
      const next = await grow(session, stepsOf(pass), AIM);
      session = next.session;
      const { effects, records } = await session.store.load();
      played.push({ pass, ...next, effects, records });
    }
  }, 60_000);

  it('is never refused and stays about its aim, however long it lasts', () => {
    for (const { pass, outcome } of played) {
      const tokens = outcome.outcome === 'compacted' ? outcome.proven.tokensAfter : outcome.tokensBefore;
      expect([pass, outcome.outcome]).not.toEqual([pass, 'refused']);
      expect({ pass, tokens, fits: tokens <= BOUND }).toEqual({ pass, tokens, fits: true });
    }
  });

  it('has as many segments, marks and block lines in its second half as in its first', () => {
    const counts = played.map(({ session }) => {
      const text = textOf(session);
      const block = /<holdfast [^]*<\/holdfast>/u.exec(text)?.[0] ?? '';
      return {
        segments: text.split('[Your steps').length,
        marks: shownHandles(text).length,
        lines: block.split('\n').length,
      };
    });
    const most = (from: number, to: number, key: 'segments' | 'marks'): number =>
      Math.max(...counts.slice(from, to).map((count) => count[key]));
    played.forEach(({ effects, records }, at) => {
      expect(counts[at]?.lines ?? 0).toBeLessThanOrEqual(effects.length + records.length + 8);
    });
    for (const key of ['segments', 'marks'] as const) {
      expect(most(PASSES / 2, PASSES, key)).toBeLessThanOrEqual(most(0, PASSES / 2, key) * 1.5);
    }
  });

  it('keeps its records and its ledger byte for byte', () => {
    const last = played[PASSES - 1];
    for (const { effects, records } of played) {
      expect(JSON.stringify(last?.effects.slice(0, effects.length))).toBe(JSON.stringify(effects));
      expect(JSON.stringify(last?.records.slice(0, records.length))).toBe(JSON.stringify(records));
    }
    expect(last?.effects.map(({ target }) => target)).toHaveLength(PASSES / 5);
  });

  it('is unchanged by a pass with nothing new', async () => {
    const { session, outcome } = played[PASSES - 1] ?? {};
    if (session === undefined || outcome?.outcome === 'refused') throw new Error('nothing to compact again');
    expect((await grow(session, [], AIM)).outcome.outcome).toBe('unchanged');
  });

  it('still leads from its marks to everything that was said first', async () => {
    const { session } = played[PASSES - 1] ?? {};
    if (session === undefined) throw new Error('no session');
    const found: string[] = [];
    const open = [...shownHandles(textOf(session))];
    for (const handle of open) {
      const original = await session.store.findOriginal(handle);
      if (original === undefined) throw new Error(`${handle} does not resolve`);
      found.push(original.text);
      for (const inner of shownHandles(original.text)) if (!open.includes(inner)) open.push(inner);
    }
    const text = `${textOf(session)}\n${found.join('\n')}`;
    for (let turn = 1; turn <= PASSES; turn += 1) {
      const order = `W${String(8_800_000 + turn * 37)}`;
      expect(text).toContain(`${order}-2`);
      expect(text).toContain(`11 step ${String(77 + turn)} of order ${order} took 143 ms`);
    }
  });
});
