import { createTestDatabase, type TestDatabase } from '@holdfast/testkit';
import { Client } from 'pg';
import { createAuditRepository } from '../audit-repository';
import { createDatabase, type Database } from '../database';
import { createKeyRepository } from '../keys/key-repository';
import { applyMigrations } from '../migrations/migrate';
import { createStoreHealth } from '../store-health';
import { createTenantRepository } from '../tenants/tenant-repository';
import { type AgentSettings, createAgentRepository } from './agent-repository';

let testDatabase: TestDatabase;
let database: Database;
let owner: Client;
let acme: string;
let globex: string;

beforeAll(async () => {
  testDatabase = await createTestDatabase({ prepare: applyMigrations });
  database = createDatabase({ connectionString: testDatabase.connectionString });
  owner = new Client({ connectionString: testDatabase.connectionString });
  await owner.connect();
  acme = await createTenantRepository(database).create('Acme');
  globex = await createTenantRepository(database).create('Globex');
});

afterAll(async () => {
  await owner.end();
  await database.close();
  await testDatabase.drop();
});

const SETTINGS: AgentSettings = {
  mode: 'observe',
  recall: 'none',
  policy: { aimShare: 0.6, minGainShare: 0.02, pinnedBlockTokens: 1_500, tailMessages: 2 },
  toolContracts: { send: { effect: 'write', key: ['$.to'] } },
};

describe('agents', () => {
  const agents = () => createAgentRepository(database);

  it('a changed policy is a new version, the same one is none', async () => {
    expect(await agents().putAgent(acme, 'bot', SETTINGS)).toEqual({ policyVersion: 1, created: true });
    expect(await agents().putAgent(acme, 'bot', { ...SETTINGS, mode: 'enforce' })).toEqual({
      policyVersion: 1,
      created: false,
    });
    const changed = { ...SETTINGS, policy: { ...SETTINGS.policy, aimShare: 0.5 } };
    expect(await agents().putAgent(acme, 'bot', changed)).toEqual({ policyVersion: 2, created: false });
    expect(await agents().findAgent(acme, 'bot')).toMatchObject({ ...changed, policyVersion: 2 });
    expect((await agents().loadAgentVersion(acme, 'bot', 1)).policy.aimShare).toBe(0.6);
    expect(await agents().findAgent(globex, 'bot')).toBeUndefined();
  });

  it('many writers at once leave versions without gaps', async () => {
    const put = (share: number) =>
      agents().putAgent(acme, 'busy', { ...SETTINGS, policy: { ...SETTINGS.policy, aimShare: share } });
    await Promise.all([0.1, 0.2, 0.3, 0.4].map(put));
    const { rows } = await owner.query(`select version from agent_policies where agent_id = 'busy' order by version`);
    expect(rows.map(({ version }) => version)).toEqual([1, 2, 3, 4]);
  });

  it('contracts may hold what jsonb refuses', async () => {
    const toolContracts = { ['nul\0']: { effect: 'read' as const, keep: ['/\ud83d/'] } };
    await agents().putAgent(acme, 'odd', { ...SETTINGS, toolContracts });
    expect((await agents().findAgent(acme, 'odd'))?.toolContracts).toEqual(toolContracts);
  });

  it('are listed page by page', async () => {
    const first = await agents().listAgents(acme, { limit: 2, after: undefined });
    const second = await agents().listAgents(acme, { limit: 2, after: first.next });
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(['bot', 'busy', 'odd']);
    expect(second.next).toBeUndefined();
  });
});

describe('keys', () => {
  const keys = () => createKeyRepository(database);
  const NEW = {
    ...{ secretHash: new Uint8Array(32).fill(1), pepperVersion: 1, display: 'hf_…', scopes: ['compactions:write'] },
    ...{ agentAllowList: ['bot'], expiresAt: undefined },
  };

  it('are found by their public part until they are revoked', async () => {
    await keys().create(acme, { ...NEW, keyId: 'key-1' });
    expect(await keys().findUsable('key-1')).toMatchObject({
      tenantId: acme,
      scopes: NEW.scopes,
      agentAllowList: ['bot'],
    });
    expect(await keys().revoke(globex, 'key-1')).toBe(false);
    expect(await keys().revoke(acme, 'key-1')).toBe(true);
    expect(await keys().revoke(acme, 'key-1')).toBe(true);
    expect(await keys().findUsable('key-1')).toBeUndefined();
  });

  it('end by the clock of the database', async () => {
    await keys().create(acme, { ...NEW, keyId: 'key-2', expiresAt: new Date(0) });
    expect(await keys().findUsable('key-2')).toBeUndefined();
  });

  it('note their use', async () => {
    await keys().create(acme, { ...NEW, keyId: 'key-3' });
    await keys().recordUse(acme, 'key-3');
    const { items } = await keys().list(acme, { limit: 10, after: 'key-2' });
    expect(items.map(({ keyId, lastUsedAt }) => [keyId, lastUsedAt !== undefined])).toEqual([['key-3', true]]);
  });
});

it('a tenant is found by its name', async () => {
  const tenants = createTenantRepository(database);
  expect(await tenants.findByName('Acme')).toBe(acme);
  expect(await tenants.findByName('Nobody')).toBeUndefined();
});

it('the audit log takes entries', async () => {
  const entry = { actor: 'key-1', action: 'agent.put', subject: 'nul\0', detail: { note: 'a\0' } };
  await createAuditRepository(database).record(acme, entry);
  const { rows } = await owner.query('select action from audit_log where tenant_id = $1', [acme]);
  expect(rows).toEqual([{ action: 'agent.put' }]);
});

it('the store is healthy once every migration is applied', async () => {
  const health = createStoreHealth(database, testDatabase.connectionString);
  await health.ping();
  expect(await health.migrationsCurrent()).toBe(true);
});
