import { apiKeyPageSchema, createdKeySchema, type Scope } from '@holdfast/contracts';
import { problemIn, read, send, shortProblem } from '../../test/client';
import { type ApiUnderTest, startApiUnderTest } from '../../test/running-api';
import { createApiKey } from './api-key';
import { bootstrapKey } from './bootstrap';
import { PEPPER } from '../../test/running-api';

let under: ApiUnderTest;

beforeAll(async () => {
  under = await startApiUnderTest();
  for (const agent of ['bot', 'other']) {
    const body = JSON.stringify({ mode: 'observe', recall: 'none' });
    await send(under.url, 'PUT', `/v1/agents/${agent}`, { key: under.acme.key, body });
  }
});

afterAll(() => under.close());

function createKey(key: string, request: unknown) {
  return send(under.url, 'POST', '/v1/keys', { key, body: JSON.stringify(request) });
}

describe('a request without a usable key', () => {
  it('gets one and the same answer, whatever is wrong', async () => {
    const { key: revoked, key_id: revokedId } = read(
      await createKey(under.acme.key, { scopes: ['agents:read'] }),
      createdKeySchema,
      201,
    );
    expect((await send(under.url, 'GET', '/v1/agents', { key: revoked })).status).toBe(200);
    expect((await send(under.url, 'DELETE', `/v1/keys/${revokedId}`, { key: under.acme.key })).status).toBe(204);
    const last = under.acme.key.at(-1) === 'a' ? 'b' : 'a';
    const attempts: (string | undefined)[] = [
      undefined,
      'nonsense',
      createApiKey('live').text,
      under.acme.key.slice(0, -1) + last,
      revoked,
    ];
    const bodies = new Set<string>();
    for (const key of attempts) {
      const answer = await send(under.url, 'GET', '/v1/agents', key === undefined ? {} : { key });
      expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="holdfast"');
      const { request_id: _, ...body } = problemIn(answer);
      bodies.add(JSON.stringify(body));
    }
    expect(bodies.size).toBe(1);
    expect([...bodies][0]).toContain('"UNAUTHENTICATED"');
  });

  it('has none of its body read', async () => {
    const body = `{"x":"${'a'.repeat(40_000_000)}"}`;
    expect(shortProblem(await send(under.url, 'POST', '/v1/compactions', { body }))).toBe('401 UNAUTHENTICATED');
  });

  it('is not helped by a key in the query', async () => {
    const answer = await send(under.url, 'GET', `/v1/agents?key=${under.acme.key}`);
    expect(shortProblem(answer)).toBe('401 UNAUTHENTICATED');
  });
});

describe('a key', () => {
  it.each<[string, string, Scope]>([
    ['GET', '/v1/agents', 'agents:read'],
    ['PUT', '/v1/agents/bot', 'agents:write'],
    ['POST', '/v1/compactions', 'compactions:write'],
    ['POST', '/v1/plans', 'compactions:write'],
    ['GET', '/v1/sessions', 'sessions:read'],
    ['GET', '/v1/keys', 'keys:manage'],
    ['GET', '/v1/recall/h_abcdefgh?agent=bot&session=s', 'recall:read'],
  ])('opens %s %s with its scope only', async (method, path, scope) => {
    const others = (
      [
        'agents:read',
        'agents:write',
        'compactions:write',
        'compactions:read',
        'sessions:read',
        'sessions:write',
        'recall:read',
        'keys:manage',
      ] as const
    ).filter((name) => name !== scope);
    const without = await under.keyWith(under.acme, others);
    expect(shortProblem(await send(under.url, method, path, { key: without }))).toBe('403 SCOPE_MISSING');
    const withScope = await under.keyWith(under.acme, [scope]);
    expect([401, 403]).not.toContain((await send(under.url, method, path, { key: withScope })).status);
  });

  it('may be kept to some agents', async () => {
    const key = await under.keyWith(
      under.acme,
      ['agents:read', 'agents:write', 'compactions:write', 'sessions:read'],
      ['bot'],
    );
    expect((await send(under.url, 'GET', '/v1/agents/bot', { key })).status).toBe(200);
    for (const agent of ['other', 'unknown']) {
      const answer = await send(under.url, 'GET', `/v1/agents/${agent}`, { key });
      expect(shortProblem(answer)).toBe('403 AGENT_NOT_ALLOWED');
    }
    const body = '{"agent":"other","session":"s","budget_tokens":1,"window":[{"role":"user","content":"x"}]}';
    expect(shortProblem(await send(under.url, 'POST', '/v1/compactions', { key, body }))).toBe('403 AGENT_NOT_ALLOWED');
    const listed = await send(under.url, 'GET', '/v1/agents', { key });
    expect(listed.text).not.toContain('other');
  });

  it('gives no more than it has', async () => {
    const key = await under.keyWith(under.acme, ['keys:manage', 'agents:read'], ['bot']);
    expect(shortProblem(await createKey(key, { scopes: ['agents:write'] }))).toBe('403 SCOPE_MISSING');
    expect(shortProblem(await createKey(key, { scopes: ['agents:read'] }))).toBe('403 AGENT_NOT_ALLOWED /agents');
    expect(shortProblem(await createKey(key, { scopes: ['agents:read'], agents: ['other'] }))).toBe(
      '403 AGENT_NOT_ALLOWED',
    );
    expect((await createKey(key, { scopes: ['agents:read'], agents: ['bot'] })).status).toBe(201);
  });

  it('is told once, and listed without its secret', async () => {
    const { key, key_id: keyId } = read(
      await createKey(under.acme.key, { scopes: ['agents:read'] }),
      createdKeySchema,
      201,
    );
    const listed = await send(under.url, 'GET', '/v1/keys?limit=200', { key: under.acme.key });
    expect(read(listed, apiKeyPageSchema).items.map((item) => item.key_id)).toContain(keyId);
    expect(listed.text).not.toContain(key.slice(20, 52));
  });

  it('of another tenant is unknown', async () => {
    const { key_id: keyId } = read(await createKey(under.acme.key, { scopes: ['agents:read'] }), createdKeySchema, 201);
    const limited = await under.keyWith(under.acme, ['keys:manage'], ['bot']);
    expect(shortProblem(await send(under.url, 'DELETE', `/v1/keys/${keyId}`, { key: limited }))).toBe(
      '403 AGENT_NOT_ALLOWED',
    );
    const answer = await send(under.url, 'DELETE', `/v1/keys/${keyId}`, { key: under.globex.key });
    expect(shortProblem(answer)).toBe('404 KEY_UNKNOWN');
    expect(shortProblem(await send(under.url, 'DELETE', '/v1/keys/short', { key: under.acme.key }))).toBe(
      '404 KEY_UNKNOWN',
    );
  });

  it('is asked for with care', async () => {
    expect(shortProblem(await createKey(under.acme.key, { scopes: ['everything'], days: 3 }))).toBe(
      '422 FIELD_INVALID /scopes/0 /days',
    );
  });
});

describe('bootstrap', () => {
  it('finds what is there already', async () => {
    const preset = createApiKey('live').text;
    const request = { tenantName: 'initech', pepper: PEPPER, presetKey: preset };
    const first = await bootstrapKey(under.repositories, request);
    const again = await bootstrapKey(under.repositories, request);
    expect(first.key).toBe(preset);
    expect(again).toEqual({ ...first, key: undefined });
    expect((await send(under.url, 'GET', '/v1/agents', { key: preset })).status).toBe(200);
  });

  it('takes no key that is none', async () => {
    const request = { tenantName: 'x', pepper: PEPPER, presetKey: 'hf_live_x' };
    await expect(bootstrapKey(under.repositories, request)).rejects.toThrow(RangeError);
  });
});
