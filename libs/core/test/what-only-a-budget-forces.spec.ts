import { compact } from '../src/compact';
import type { Outcome } from '../src/outcome';
import { DEFAULT_POLICY } from '../src/plan/policy';
import { CharacterCounter, MemorySessionStore } from '../src/testing';
import { chatCall } from './classify-window';

const prose = (count: number): string =>
  Array.from({ length: count }, (_, index) => `Folder ${String(index)} holds drafts of the spring catalogue.`).join(
    ' ',
  );
const log = (count: number): string =>
  Array.from({ length: count }, (_, index) => `batch ${String(index)} took ${String(index * 7)} ms`).join('\n');

function pass(messages: readonly unknown[], budgetTokens: number): Promise<Outcome> {
  const request = {
    format: 'openai-chat',
    source: JSON.stringify(messages),
    mode: 'enforce',
    recall: 'tool',
    contracts: {},
    policy: { ...DEFAULT_POLICY, onAmbiguous: 'hold' },
    budgetTokens,
    sealKey: 'secret',
  } as const;
  return compact(request, { store: new MemorySessionStore('s'), counter: new CharacterCounter() });
}

function windowOf(outcome: Outcome): string {
  if (outcome.outcome !== 'compacted') throw new Error(JSON.stringify(outcome));
  return outcome.proven.window;
}

const user = (content: string): unknown => ({ role: 'user', content });
const assistant = (content: string): unknown => ({ role: 'assistant', content });

describe('what only a budget forces', () => {
  it('leaves a result that nobody has read whole where the budget holds it', async () => {
    const messages = [
      user('Look.'),
      assistant(prose(40)),
      user('And now?'),
      ...chatCall('get_log', { day: 1 }, log(60)),
    ];
    expect(windowOf(await pass(messages, 650))).toContain('batch 59 took 413 ms');
  });

  it('puts a result that nobody has read behind a handle where it does not fit', async () => {
    const messages = [user('Look.'), ...chatCall('get_log', { day: 1 }, log(400))];
    const window = windowOf(await pass(messages, 400));
    expect(window).toMatch(/recall h_[0-9a-z]{10}/u);
    expect(window).toContain('Look.');
  });

  it('leaves out the replies of the model, one mark for all, before it refuses', async () => {
    const messages = Array.from({ length: 12 }, (_, turn) => [
      user(`Part ${String(turn)}?`),
      assistant(prose(6)),
    ]).flat();
    const window = windowOf(await pass([...messages, user('Sum it up.')], 220));
    expect(window).toContain('(a reply of yours)');
    for (let turn = 0; turn < 12; turn += 1) expect(window).toContain(`Part ${String(turn)}?`);
  });

  it("says a person's repeated sentences by their number before it refuses, and never in the newest request", async () => {
    const repeated = 'The boiler in house four was serviced on 3 March by Dahl. '.repeat(20);
    const messages = [user(repeated), assistant('Noted.'), user('When was it serviced?')];
    const window = windowOf(await pass(messages, 150));
    expect(window).toContain('serviced on 3 March by Dahl. [1]');
    expect((await pass([assistant('Hello.'), user(repeated)], 150)).outcome).toBe('refused');
  });

  it('keeps why an action failed in the line that stands for it', async () => {
    const messages = [
      user('Publish it.'),
      ...chatCall('publish', { via: 'smtp-a' }, 'ERROR 550 sender not allowed on smtp-a'),
      assistant(prose(30)),
      user('Try another way.'),
    ];
    expect(windowOf(await pass(messages, 200))).toContain('550 sender not allowed on smtp-a');
  });

  it('names tool definitions that are above the budget by themselves', async () => {
    const description = prose(60);
    const source = {
      model: 'm',
      messages: [user('Hi.')],
      tools: [{ type: 'function', function: { name: 'f', description } }],
    };
    const outcome = await pass(source as never, 100);
    expect(outcome).toMatchObject({ outcome: 'refused', refusal: { code: 'BUDGET_UNREACHABLE' } });
    if (outcome.outcome === 'refused') expect(outcome.refusal.elements[0]?.evidence).toContain('tool definitions');
  });
});
