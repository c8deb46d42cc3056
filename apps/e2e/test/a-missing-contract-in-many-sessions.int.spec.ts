import {
  agentSchema,
  compactionSchema,
  previewSchema,
  type RefusalDetailResponse,
  refusalDetailSchema,
  refusalListSchema,
  resolvingSchema,
} from '@holdfast/contracts';
import { until } from '@holdfast/testkit';
import { ApiClient } from '../src/api-client';
import { type RunningPlatform, startRunningPlatform } from '../src/running-platform';

let platform: RunningPlatform;
let api: ApiClient;

beforeAll(async () => {
  platform = await startRunningPlatform();
  api = new ApiClient(platform.url, platform.key);
});
afterAll(async () => {
  expect(await platform.close()).toEqual([0, 0]);
});

const AGENT = 'order-desk';
const SESSIONS = ['a', 'b', 'c', 'd', 'e', 'f'];
const prose = (from: number): string =>
  Array.from({ length: 40 }, (_, n) => `Order ${(from + n) * 7_919} goes to town ${(from + n) * 104_729}. `).join('');

/** A chat whose bulk are results of a tool that nobody declared. */
function chat(session: number): string {
  const calls = Array.from({ length: 6 }, (_, n) => [
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: `c${n}`, type: 'function', function: { name: 'look_up_order', arguments: `{"order":${n}}` } }],
    },
    { role: 'tool', tool_call_id: `c${n}`, content: prose(session * 1_000 + n * 40) },
  ]).flat();
  const end = ['They are all on their way.', 'Thank you. And the last one?', 'That one too.', 'Good.'];
  return JSON.stringify([
    { role: 'user', content: 'Where are my orders?' },
    ...calls,
    ...end.map((content, at) => ({ role: at % 2 === 0 ? 'assistant' : 'user', content })),
  ]);
}

it('is one refusal; declaring it retries all, also when the worker is killed meanwhile, and closes it', async () => {
  await api.read(agentSchema, 'PUT', `/v1/agents/${AGENT}`, JSON.stringify({ mode: 'enforce', recall: 'none' }));
  for (const [at, session] of SESSIONS.entries()) {
    const ask = { agent: AGENT, session, budget_tokens: 3_000, format: 'openai-chat' };
    const { compaction, origin } = await api.compact(ask, chat(at));
    expect([compaction.outcome, compaction.refusal?.code, origin]).toEqual([
      'refused',
      'BUDGET_UNREACHABLE',
      'as_sent',
    ]);
  }
  const { items } = await api.read(refusalListSchema, 'GET', '/v1/refusals?status=open');
  expect(items).toMatchObject([{ agent: AGENT, count: 6, sessions: 6, tools: ['look_up_order'], severity: 'page' }]);
  const path = `/v1/refusals/${items[0]?.id ?? ''}`;
  const find = (): Promise<RefusalDetailResponse> => api.read(refusalDetailSchema, 'GET', path);

  const repair = (await find()).repairs.find(({ kind }) => kind === 'declare_tool');
  const { message: _, ...resolution } = repair ?? { message: '' };
  const body = JSON.stringify(resolution);
  expect(await api.read(previewSchema, 'POST', `${path}/preview`, body)).toMatchObject({
    would_pass: true,
    sessions: 6,
  });
  const { retried } = await api.read(resolvingSchema, 'POST', `${path}/resolve`, body);
  await platform.crash('worker');
  expect(retried).toHaveLength(6);

  const closed = await until(
    async () => {
      const refusal = await find();
      return refusal.status === 'resolved' ? refusal : undefined;
    },
    { deadlineMs: 120_000 },
  );
  expect(closed).toMatchObject({ retries_open: 0, count: 6, resolution: 'declare_tool' });
  expect(closed.steps.items.map(({ kind }) => kind)).toEqual(['resolution', 'resolved']);
  for (const id of retried) {
    const { outcome, retry_of: retryOf } = await api.read(compactionSchema, 'GET', `/v1/compactions/${id}`);
    expect([outcome, typeof retryOf]).toEqual(['compacted', 'string']);
  }
}, 300_000);
