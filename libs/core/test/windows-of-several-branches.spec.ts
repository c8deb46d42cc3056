import { compact } from '../src/compact';
import { DEFAULT_POLICY } from '../src/plan/policy';
import { CharacterCounter, MemorySessionStore } from '../src/testing';

const filler = 'the quick brown fox looks at line after line of a log that says nothing new today. '.repeat(20);

type Message = Readonly<Record<string, unknown>>;

const turn = (model: string, person: string): readonly Message[] => [
  { role: 'assistant', content: model },
  { role: 'user', content: person },
];

function pushed(result: string): readonly Message[] {
  const call = { id: 'c1', type: 'function', function: { name: 'push', arguments: '{"branch":"main"}' } };
  return [
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: 'c1', content: result },
  ];
}

const BEGINNING: readonly Message[] = [
  { role: 'user', content: 'Push it.' },
  ...pushed(`ok ${filler}`),
  ...turn('Pushed.', 'And now?'),
  ...turn('Nothing left.', 'Go on.'),
];

async function pass(store: MemorySessionStore, messages: readonly Message[]): Promise<readonly Message[]> {
  const outcome = await compact(
    {
      format: 'openai-chat',
      source: JSON.stringify(messages),
      mode: 'enforce',
      recall: 'tool',
      contracts: { push: { effect: 'write', target: ['$.branch'] } },
      policy: { ...DEFAULT_POLICY, onAmbiguous: 'hold' },
      budgetTokens: 100_000,
      aimTokens: 0,
      sealKey: 'k',
    },
    { store, counter: new CharacterCounter() },
  );
  if (outcome.outcome !== 'compacted') throw new Error(JSON.stringify(outcome));
  store.finishPass({ handedOut: outcome.proven.manifest, receipt: outcome.proven.receipt });
  return JSON.parse(outcome.proven.window) as Message[];
}

async function pushesIn(store: MemorySessionStore): Promise<number> {
  return (await store.load()).effects.length;
}

describe('a caller that goes on from a window which is not the last', () => {
  it('equal calls are new effects, though an old window came in between', async () => {
    const store = new MemorySessionStore('s');
    const pushes = Array.from({ length: 5 }, () => pushed(`ok ${filler}`)).flat();
    const old = [...BEGINNING, ...pushes, ...turn('Pushed.', 'Good.'), ...turn('Done.', 'Ok.')];
    const adopted = await pass(store, old);
    await pass(store, old);
    expect(await pushesIn(store)).toBe(6);
    await pass(store, [...adopted, ...pushes, ...turn('Pushed again.', 'Good.'), ...turn('All done.', 'Fine.')]);
    expect(await pushesIn(store)).toBe(11);
  });

  it('a branch that comes again is the one that it was', async () => {
    const store = new MemorySessionStore('s');
    const adopted = await pass(store, BEGINNING);
    const one = [...adopted, ...pushed(`one ${filler}`), ...turn('Pushed one.', 'Good.'), ...turn('Done.', 'Ok.')];
    const two = [...adopted, ...pushed(`two ${filler}`), ...turn('Pushed two.', 'Better.'), ...turn('Done.', 'Fine.')];
    await pass(store, one);
    await pass(store, two);
    const before = await store.load();
    await pass(store, one);
    await pass(store, two);
    const after = await store.load();
    expect([after.effects, after.nextElement]).toEqual([before.effects, before.nextElement]);
  });
});
