import { send } from '../../test/client';
import { type ApiUnderTest, startApiUnderTest } from '../../test/running-api';

describe('outcomes of tools are counted', () => {
  let under: ApiUnderTest;
  beforeAll(async () => {
    under = await startApiUnderTest();
    const body = JSON.stringify({ mode: 'enforce', recall: 'tool' });
    await send(under.url, 'PUT', '/v1/agents/bot', { key: under.acme.key, body });
  });
  afterAll(() => under.close());

  it('each once, though it is told twice', async () => {
    const outcome = (name: string, callId: string) => ({
      ...{ agent: 'bot', session: 's', tool: 'refund', outcome: name, call_id: callId },
    });
    const body = JSON.stringify({ outcomes: [outcome('rejected', 'c1'), outcome('succeeded', 'c2')] });
    for (let told = 0; told < 2; told += 1) {
      expect((await send(under.url, 'POST', '/v1/tool-outcomes', { key: under.acme.key, body })).status).toBe(200);
    }
    const { text } = await send(under.url, 'GET', '/metrics');
    const counts = [...text.matchAll(/^holdfast_tool_outcomes_total\{outcome="(\w+)"\} (\d+)$/gm)];
    expect(Object.fromEntries(counts.map(([, value, count]) => [value, Number(count)]))).toEqual({
      ...{ succeeded: 1, failed: 0, rejected: 1 },
    });
  });
});
