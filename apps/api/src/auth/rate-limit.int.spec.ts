import { send, shortProblem } from '../../test/client';
import { type ApiUnderTest, startApiUnderTest } from '../../test/running-api';

let under: ApiUnderTest;

beforeAll(async () => {
  // So slow that nothing flows in while the test runs.
  under = await startApiUnderTest({ rateLimit: { perSecond: 0.001, burst: 3 } });
});

afterAll(() => under.close());

it('a key that sends too much is told when to try again; others go on, and what needs no key too', async () => {
  const key = await under.keyWith(under.acme, ['agents:read']);
  const answers = [];
  for (let n = 0; n < 4; n += 1) answers.push(await send(under.url, 'GET', '/v1/agents', { key }));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
  expect(answers.map(({ headers }) => headers.get('ratelimit-remaining'))).toEqual(['2', '1', '0', '0']);
  const last = answers[3];
  if (last === undefined) throw new Error('no answer');
  expect(shortProblem(last)).toBe('429 RATE_LIMITED');
  expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(900);
  expect(last.headers.get('ratelimit-limit')).toBe('3');
  expect(Number(last.headers.get('ratelimit-reset'))).toBeGreaterThan(2_900);
  expect((await send(under.url, 'GET', '/v1/agents', { key: under.acme.key })).status).toBe(200);
  expect((await send(under.url, 'GET', '/healthz')).status).toBe(200);
});

it('a key that is none uses up nothing', async () => {
  const key = await under.keyWith(under.acme, ['agents:read']);
  const last = key.at(-1) === 'a' ? 'b' : 'a';
  for (let n = 0; n < 5; n += 1) await send(under.url, 'GET', '/v1/agents', { key: key.slice(0, -1) + last });
  expect((await send(under.url, 'GET', '/v1/agents', { key })).status).toBe(200);
});
