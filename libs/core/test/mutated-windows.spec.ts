import fc from 'fast-check';
import { InvalidWindowError, type WindowProblem } from '../src/errors';
import { formatOf } from '../src/formats';
import type { Outcome } from '../src/outcome';
import { verifyReceipt } from '../src/receipt/verify-receipt';
import { compactOf } from './compact-of-window';
import { PROVIDER_FORMATS, turns, writeWindow } from './session-windows';

type Container = Record<string, unknown> | unknown[];

/** A place in a JSON value where something can be changed. */
interface Place {
  readonly holder: Container;
  readonly key: string;
}

const strange = fc.oneof(
  fc.constantFrom(null, 0, 1e300, true, '', ' ', '\ud800', '__proto__', '[1,', [], {}, [null], [[]], { type: 'x' }),
  fc.constantFrom(
    'tool',
    'assistant',
    'developer',
    'tool_use',
    'tool_result',
    'reasoning',
    'thinking',
    'item_reference',
  ),
  fc.integer({ min: 1, max: 90 }).map((depth) => JSON.parse(`${'['.repeat(depth)}1${']'.repeat(depth)}`) as unknown),
  fc.integer({ min: 1, max: 20_000 }).map((length) => 'x'.repeat(length)),
);

const mutation = fc.record({
  kind: fc.constantFrom('remove', 'repeat', 'swap', 'replace', 'copy', 'rename', 'cut'),
  at: fc.nat(),
  other: fc.nat(),
  value: strange,
});

function placesIn(value: unknown, found: Place[] = []): Place[] {
  if (typeof value !== 'object' || value === null) return found;
  const holder = value as Container;
  for (const [key, inner] of Object.entries(holder)) {
    found.push({ holder, key });
    placesIn(inner, found);
  }
  return found;
}

function get({ holder, key }: Place): unknown {
  return (holder as Record<string, unknown>)[key];
}

function set({ holder, key }: Place, value: unknown): void {
  (holder as Record<string, unknown>)[key] = value;
}

/** Does to a window what bugs of a harness do: messages lost, repeated, out of order, members of another type. */
function mutate(root: unknown, { kind, at, other, value }: typeof mutation extends fc.Arbitrary<infer M> ? M : never) {
  const places = placesIn(root);
  const inLists = places.filter(({ holder }) => Array.isArray(holder));
  const pool = kind === 'remove' || kind === 'repeat' || kind === 'swap' ? inLists : places;
  const place = pool[at % Math.max(1, pool.length)];
  const second = pool[other % Math.max(1, pool.length)];
  if (place === undefined || second === undefined) return;
  const { holder, key } = place;
  if (kind === 'replace') set(place, value);
  if (kind === 'copy') set(place, structuredClone(get(second)));
  if (kind === 'rename') set({ holder, key: `${key}_` }, get(place));
  if (kind === 'cut') set(place, String(get(place)).slice(0, other % 10));
  if (!Array.isArray(holder)) return;
  if (kind === 'remove') holder.splice(Number(key), 1 + (other % 2));
  if (kind === 'repeat') holder.splice(other % holder.length, 0, structuredClone(get(place)));
  if (kind === 'swap') {
    const given = get(place);
    const index = other % holder.length;
    holder[Number(key)] = holder[index];
    holder[index] = given;
  }
}

/** How often a window breaks each rule. */
function broken(problems: readonly WindowProblem[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { code } of problems) counts.set(code, (counts.get(code) ?? 0) + 1);
  return counts;
}

/** What a pass could not prove of its own output. */
function unprovenOf(outcome: Outcome): string {
  const isFault = outcome.outcome === 'refused' && outcome.refusal.code === 'PROOF_FAILED';
  return isFault ? outcome.refusal.elements.map(({ evidence }) => evidence).join('; ') : '';
}

describe('a window that a harness broke', () => {
  it.each(PROVIDER_FORMATS)(
    'is refused with the place, or comes out no more broken than it came: %s',
    async (format) => {
      await fc.assert(
        fc.asyncProperty(turns, fc.array(mutation, { minLength: 1, maxLength: 4 }), async (conversation, mutations) => {
          const window = JSON.parse(writeWindow(format, conversation)) as unknown;
          for (const one of mutations) mutate(window, one);
          const source = JSON.stringify(window);
          const outcome = await compactOf(format, source);
          if (outcome instanceof InvalidWindowError) {
            expect(outcome.problems.length).toBeGreaterThan(0);
            for (const { path } of outcome.problems) expect(path).toMatch(/^(?:$|\/)/u);
            return;
          }
          expect(unprovenOf(outcome)).toBe('');
          const proven = outcome.outcome === 'compacted' ? outcome.proven : undefined;
          if (proven === undefined) return;
          const before = broken(formatOf(format).validate(source));
          for (const [code, count] of broken(formatOf(format).validate(proven.window))) {
            expect({ code, count: Math.min(count, before.get(code) ?? 0) }).toEqual({ code, count });
          }
          expect(verifyReceipt(proven.receipt, { input: source, output: proven.window })).toEqual([]);
        }),
        { numRuns: 40, seed: 20_260 },
      );
    },
  );
});
