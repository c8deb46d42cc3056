import { compact } from '../src/compact';
import type { Outcome } from '../src/outcome';
import { DEFAULT_POLICY } from '../src/plan/policy';
import type { SegmentDraft, SummaryRequest } from '../src/ports';
import { CharacterCounter, MemorySessionStore } from '../src/testing';

const PASSWORD = 'Vintergatan-77x';
const KEY = ['tkn', 'live', 'Q7EXAMPLE4ZTR2WX'].join('_');
/** Nothing about it says that it is one: only its contract does. */
const DECLARED = 'orchid blue';
const SECRETS = [PASSWORD, KEY, DECLARED];

const filler = 'the quick brown fox looks at line after line of a log that says nothing new today. '.repeat(20);
const human = (content: string) => ({ role: 'user', content });
const said = (content: string) => ({ role: 'assistant', content });

function called(id: string, tool: string, args: object, result: string): readonly object[] {
  const call = { id, type: 'function', function: { name: tool, arguments: JSON.stringify(args) } };
  return [
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: id, content: result },
  ];
}

const MESSAGES = [
  { role: 'system', content: 'You are careful.' },
  human(`My key is ${KEY}; never use role 'admin'.`),
  ...called(
    'c1',
    'read_env',
    { f: 'job.env' },
    `URL=postgresql://job:${PASSWORD}@db.internal.example:5432/jobs\n${filler}`,
  ),
  ...called('c2', 'vault_read', { path: 'kv/door' }, JSON.stringify({ phrase: DECLARED, note: filler })),
  ...called(
    'c3',
    'shell',
    { command: `psql postgresql://job:${PASSWORD}@db.internal.example/jobs -c 'vacuum'` },
    'VACUUM',
  ),
  ...called('c4', 'open_door', { door: `front, ${DECLARED}` }, `opened with ${DECLARED}`),
  said(`The job logs in with ${PASSWORD} because the old role expired. I said ${DECLARED} and key ${KEY}. ${filler}`),
  human('And now?'),
  said('Nothing left.'),
  human('Go on.'),
];

class ReadStore extends MemorySessionStore {
  readonly segmentTexts: SegmentDraft[] = [];

  override recordSegment(segment: SegmentDraft): Promise<void> {
    this.segmentTexts.push(segment);
    return super.recordSegment(segment);
  }
}

const asked: SummaryRequest[] = [];
const summarizer = {
  name: 'copies',
  deterministic: true,
  summarize: (request: SummaryRequest) => {
    asked.push(request);
    return Promise.resolve({ kind: 'summary' as const, text: request.elements[0]?.text.slice(0, 160) ?? '' });
  },
};

async function passOver(store: ReadStore, messages: readonly object[], budgetTokens: number): Promise<Outcome> {
  return compact(
    {
      format: 'openai-chat',
      source: JSON.stringify(messages),
      mode: 'enforce',
      recall: 'tool',
      contracts: { vault_read: { effect: 'read', secret: ['$.phrase'] }, read_env: { effect: 'read' } },
      policy: { ...DEFAULT_POLICY, onAmbiguous: 'hold' },
      budgetTokens,
      aimTokens: 0,
      sealKey: 'k',
    },
    { store, counter: new CharacterCounter(), summarizer },
  );
}

const secretsIn = (written: unknown): readonly string[] =>
  SECRETS.filter((secret) => JSON.stringify(written).includes(secret));

it('no secret in records, ledger, summaries, receipts, notices and what a summarizer reads', async () => {
  const store = new ReadStore('s');
  const outcome = await passOver(store, MESSAGES, 100_000);
  if (outcome.outcome !== 'compacted') throw new Error(outcome.outcome);
  const session = await store.load();
  expect(store.segmentTexts.length).toBeGreaterThan(0);
  expect(session.effects.map(({ target }) => target).join('\n')).toContain('[secret password #');
  expect(secretsIn([session, store.segmentTexts, asked, outcome.proven.receipt, outcome.notices])).toEqual([]);
  expect(outcome.proven.window).toContain('db.internal.example');
});

it("a person's words stand in the window as they were said, and their bytes are in the archive", async () => {
  const store = new ReadStore('s');
  const outcome = await passOver(store, MESSAGES, 100_000);
  if (outcome.outcome !== 'compacted') throw new Error(outcome.outcome);
  expect(outcome.proven.window).toContain(`My key is ${KEY}; never use role 'admin'.`);
  const rule = (await store.load()).records.find(({ content }) => content.includes("never use role 'admin'"));
  expect(rule?.content).toMatch(/^My key is \[secret api_key #[0-9a-f]{4}\]; never use role 'admin'\.$/u);
  // The record stands in its own element, so the block does not repeat it.
  expect(outcome.proven.window.split("never use role 'admin'")).toHaveLength(2);
});

it('a rule with a secret that somebody took out of the window is put back masked', async () => {
  const store = new ReadStore('s');
  const first = await passOver(store, MESSAGES, 100_000);
  if (first.outcome !== 'compacted') throw new Error(first.outcome);
  store.finishPass({ handedOut: first.proven.manifest, receipt: first.proven.receipt });
  const left = (JSON.parse(first.proven.window) as { content: unknown }[]).filter(
    ({ content }) => typeof content !== 'string' || !content.includes(KEY),
  );
  const more = [...left, ...called('c9', 'read_env', { f: 'b.env' }, filler.repeat(3)), said('Read.'), human('Next.')];
  const second = await passOver(store, [...more, said('Ok.'), human('Go on.')], 100_000);
  if (second.outcome !== 'compacted') throw new Error(second.outcome);
  expect(second.proven.window).toMatch(/My key is \[secret api_key #[0-9a-f]{4}\]; never use role 'admin'\./u);
});

it('a refusal names no secret', async () => {
  const outcome = await passOver(new ReadStore('s'), MESSAGES, 10);
  if (outcome.outcome !== 'refused') throw new Error(outcome.outcome);
  expect(secretsIn([outcome.refusal, outcome.receipt])).toEqual([]);
});
