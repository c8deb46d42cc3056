import { until } from '@holdfast/testkit';
import { send } from '../../test/client';
import { type ApiUnderTest, startApiUnderTest } from '../../test/running-api';
import { MEASURED_ROUTES } from './request-observer';

describe('requests are measured by the templates of their routes', () => {
  let under: ApiUnderTest;
  beforeAll(async () => {
    under = await startApiUnderTest();
  });
  afterAll(() => under.close());

  const metrics = async (): Promise<string> => (await send(under.url, 'GET', '/metrics')).text;
  const untilSaid = (line: string): Promise<void> =>
    until(async () => ((await metrics()).includes(line) ? true : undefined), { describe: () => line }).then(
      () => undefined,
    );

  it('each route is there before anybody asked for it', async () => {
    const text = await metrics();
    for (const { method, route } of MEASURED_ROUTES) {
      expect(text).toContain(`holdfast_http_requests_total{method="${method}",route="${route}",status="5xx"} 0`);
    }
  });

  it('an answer, a problem and an invented path', async () => {
    const key = under.acme.key;
    await send(under.url, 'GET', '/v1/agents/01900000-0000-7000-8000-000000000001', { key });
    await send(under.url, 'GET', '/v1/agents', { key });
    await send(under.url, 'GET', '/v1/invented/0190aaaa-0000-7000-8000-000000000001', { key });
    await untilSaid('holdfast_http_requests_total{method="GET",route="/v1/agents/{agent}",status="4xx"} 1');
    await untilSaid('holdfast_http_requests_total{method="GET",route="/v1/agents",status="2xx"} 1');
    await untilSaid('holdfast_http_requests_total{method="any",route="none",status="4xx"} 1');
    const text = await metrics();
    expect(text).toContain(
      'holdfast_http_request_duration_seconds_count{method="GET",route="/v1/agents",status="2xx"} 1',
    );
    expect(text).not.toMatch(/"[^"]*0190[^"]*"/);
  });

  it('no label value is an id', async () => {
    const text = await metrics();
    expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i);
    expect(text).not.toContain(under.acme.tenantId);
  });
});
