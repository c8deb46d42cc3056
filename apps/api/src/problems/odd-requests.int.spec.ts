import { request as httpRequest } from 'node:http';
import { problemSchema, ROUTES } from '@holdfast/contracts';
import { send } from '../../test/client';
import { type ApiUnderTest, startApiUnderTest } from '../../test/running-api';

let under: ApiUnderTest;

beforeAll(async () => {
  under = await startApiUnderTest();
  const body = JSON.stringify({ mode: 'enforce', recall: 'tool' });
  await send(under.url, 'PUT', '/v1/agents/bot', { key: under.acme.key, body });
  const compaction = '{"agent":"bot","session":"s","budget_tokens":9,"window":[{"role":"user","content":"x"}]}';
  await send(under.url, 'POST', '/v1/compactions', { key: under.acme.key, body: compaction });
});

afterAll(() => under.close());

/** Sends a path as it is written, which `fetch` would tidy up. */
function sendRaw(method: string, path: string, body?: string): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(under.url);
    const headers = {
      authorization: `Bearer ${under.acme.key}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    };
    const request = httpRequest({ hostname, port, method, path, headers }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    request.on('error', reject);
    request.end(body);
  });
}

const ODD_PARTS = [
  '%00',
  '%FF',
  '%E0%A4%A',
  '..%2f..',
  '%2e%2e',
  "'%20or%201=1--",
  'a%0d%0ab',
  '%F0%9F%98%80',
  '-1',
  'null',
  'x'.repeat(3_000),
];
const ODD_QUERIES = [
  '?a[b]=c',
  '?limit=1e9',
  '?limit=',
  '?cursor=AA',
  '?cursor=LTE',
  '?__proto__=1',
  '?agent=%00&session=%00',
  '?include=,',
  '?%FF',
  '?lines=0-0',
  `?q=${'x'.repeat(3_000)}`,
];
const ODD_BODIES = [
  '',
  'null',
  '0',
  '[]',
  '{}',
  '"x"',
  '{"__proto__":{"a":1}}',
  '{"constructor":1}',
  '{"mode":"\u0000"}',
  '{"agent":"bot","session":"s","budget_tokens":1e400,"window":[]}',
  '{"scopes":{"length":1}}',
  '\ud800',
];

describe('an odd request gets a problem of its own making, never one of ours', () => {
  const routes = ROUTES.filter(({ path }) => path.startsWith('/v1/'));

  it.each(routes.map((route) => [`${route.method.toUpperCase()} ${route.path}`, route] as const))(
    '%s',
    async (_, route) => {
      const method = route.method.toUpperCase();
      const sound = route.path
        .replace('{agent}', 'bot')
        .replace('{session}', 's')
        .replace(/\{\w+\}/gu, '01a22e5c-353c-7014-bd75-e2a429a7532b');
      const paths = [
        ...ODD_PARTS.map((part) => route.path.replace(/\{\w+\}/gu, part)),
        ...(route.path.includes('{') ? ODD_PARTS.map((part) => sound.replace(/[^/]+$/u, part)) : []),
        ...ODD_QUERIES.map((query) => sound + query),
      ];
      const bodies = route.body === undefined ? [undefined] : ODD_BODIES;
      for (const path of paths) {
        const { status, text } = await sendRaw(method, path, bodies[0]);
        expect([path, status]).not.toEqual([path, 500]);
        if (status >= 400) expect(problemSchema.parse(JSON.parse(text)).status).toBe(status);
      }
      // Where nothing is required an empty object asks for everything.
      for (const body of bodies
        .slice(1)
        .filter((odd) => !(odd === '{}' && route.body?.safeParse({}).success === true))) {
        const { status, text } = await sendRaw(method, sound, body);
        expect([body, status >= 400 && status < 500]).toEqual([body, true]);
        expect(problemSchema.parse(JSON.parse(text)).status).toBe(status);
      }
    },
  );

  it('nothing of it was logged as an error of ours', () => {
    expect(under.logged.filter(({ level }) => level === 'error')).toEqual([]);
  });
});

describe('a method that a route has not', () => {
  it.each(['PATCH', 'DELETE', 'PUT'])('%s is told which it has', async (method) => {
    expect((await sendRaw(method, '/v1/plans')).status).toBe(405);
  });

  it('HEAD answers as GET without a body', async () => {
    expect(await sendRaw('HEAD', '/v1/agents/bot')).toEqual({ status: 200, text: '' });
    expect((await sendRaw('HEAD', '/v1/agents/nobody')).status).toBe(404);
  });
});
