import {
  apiKeyPageSchema,
  auditEntryPageSchema,
  createdKeySchema,
  dataKeyListSchema,
  dataKeySchema,
} from '@holdfast/contracts';
import { read, send, shortProblem } from '../../test/client';
import { type ApiUnderTest, startApiUnderTest } from '../../test/running-api';

let under: ApiUnderTest;

beforeAll(async () => {
  under = await startApiUnderTest();
});

afterAll(() => under.close());

async function created(scopes: readonly string[]) {
  const body = JSON.stringify({ scopes });
  return read(await send(under.url, 'POST', '/v1/keys', { key: under.acme.key, body }), createdKeySchema, 201);
}

function rotate(keyId: string, request: unknown, key = under.acme.key) {
  return send(under.url, 'POST', `/v1/keys/${keyId}/rotate`, { key, body: JSON.stringify(request) });
}

describe('rotating an API key', () => {
  it('gives a new secret with the same rights, and the old one goes on for a while', async () => {
    const old = await created(['agents:read']);
    const fresh = read(await rotate(old.key_id, { overlap_hours: 1 }), createdKeySchema, 201);
    expect(fresh).toMatchObject({ rotated_from: old.key_id, scopes: ['agents:read'] });
    for (const { key } of [old, fresh]) expect((await send(under.url, 'GET', '/v1/agents', { key })).status).toBe(200);
    const listed = read(await send(under.url, 'GET', '/v1/keys?limit=200', { key: under.acme.key }), apiKeyPageSchema);
    const [first, second] = [old, fresh].map((key) => listed.items.find(({ key_id: id }) => id === key.key_id));
    expect(second?.rotated_from).toBe(old.key_id);
    const left = Date.parse(first?.expires_at ?? '') - Date.now();
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThanOrEqual(3_600_000);
    const noted = await send(under.url, 'GET', '/v1/audit-log?action=key.rotate', { key: under.acme.key });
    expect(read(noted, auditEntryPageSchema).items[0]).toMatchObject({ subject: old.key_id });
  });

  it('without overlap ends the old one at once', async () => {
    const old = await created(['agents:read']);
    const fresh = read(await rotate(old.key_id, { overlap_hours: 0 }), createdKeySchema, 201);
    expect(shortProblem(await send(under.url, 'GET', '/v1/agents', { key: old.key }))).toBe('401 UNAUTHENTICATED');
    expect((await send(under.url, 'GET', '/v1/agents', { key: fresh.key })).status).toBe(200);
    expect(shortProblem(await rotate(old.key_id, {}))).toBe('404 KEY_UNKNOWN');
  });

  it('hands nobody a key that may do more than theirs, nor one of another tenant', async () => {
    const strong = await created(['agents:read', 'agents:write']);
    const weak = await under.keyWith(under.acme, ['keys:manage', 'agents:read']);
    expect(shortProblem(await rotate(strong.key_id, {}, weak))).toBe('403 SCOPE_MISSING');
    const bound = await under.keyWith(under.acme, ['keys:manage', 'agents:read', 'agents:write'], ['bot']);
    expect(shortProblem(await rotate(strong.key_id, {}, bound))).toBe('403 AGENT_NOT_ALLOWED');
    expect(shortProblem(await rotate(strong.key_id, {}, under.globex.key))).toBe('404 KEY_UNKNOWN');
  });
});

it('rotates the key of stored content, and shows versions only', async () => {
  const agent = JSON.stringify({ mode: 'observe', recall: 'none' });
  await send(under.url, 'PUT', '/v1/agents/bot', { key: under.acme.key, body: agent });
  const body = '{"agent":"bot","session":"s","budget_tokens":100,"window":[{"role":"user","content":"x"}]}';
  await send(under.url, 'POST', '/v1/compactions', { key: under.acme.key, body });
  const rotated = await send(under.url, 'POST', '/v1/data-keys/rotate', { key: under.acme.key });
  expect(read(rotated, dataKeySchema, 201)).toMatchObject({ version: 2, wrapped_by: 'k1', retired_at: null });
  const listed = read(await send(under.url, 'GET', '/v1/data-keys', { key: under.acme.key }), dataKeyListSchema);
  expect(listed.items.map(({ version, retired_at: retiredAt }) => [version, retiredAt === null])).toEqual([
    [2, true],
    [1, false],
  ]);
});
