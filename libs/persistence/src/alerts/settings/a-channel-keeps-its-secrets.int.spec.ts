import { randomBytes } from 'node:crypto';
import type { ChannelConfiguration } from '@holdfast/alerting';
import { createTestDatabase, type TestDatabase } from '@holdfast/testkit';
import { Client } from 'pg';
import { eraseDataKeys } from '../../content-keys/data-keys';
import { createOperatorKeys } from '../../content-keys/key-provider';
import { createDatabase, type Database } from '../../database';
import { applyMigrations } from '../../migrations/migrate';
import { createTenantRepository } from '../../tenants/tenant-repository';
import { newId } from '../../uuid';
import { type ChannelRepository, createChannelRepository } from './channel-repository';
import { openChannel } from './open-channel';

const KEYS = createOperatorKeys([{ name: 'k1', key: randomBytes(32) }]);
const SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
const NEW_SECRET = `whsec_${Buffer.alloc(32, 2).toString('base64')}`;
const WEBHOOK: ChannelConfiguration = {
  kind: 'webhook',
  url: 'https://hooks.example/token-in-the-path',
  signing_secret: SECRET,
};

let testDatabase: TestDatabase;
let owner: Client;
let database: Database;
let channels: ChannelRepository;
let tenantId: string;

beforeAll(async () => {
  testDatabase = await createTestDatabase({ prepare: applyMigrations });
  owner = new Client({ connectionString: testDatabase.connectionString });
  await owner.connect();
  database = createDatabase({ connectionString: testDatabase.connectionString, maxConnections: 4, keys: KEYS });
  channels = createChannelRepository(database);
});

beforeEach(async () => {
  tenantId = await createTenantRepository(database).create(`Acme ${newId()}`);
});

afterAll(async () => {
  await Promise.all([database.close(), owner.end()]);
  await testDatabase.drop();
});

const by = () => ({ tenantId, actor: 'key-1' });

async function created(name = 'on call', configuration = WEBHOOK): Promise<string> {
  const answer = await channels.create(by(), name, configuration);
  if (answer.kind !== 'done') throw new Error(answer.kind);
  return answer.channel.id;
}

const opened = (id: string, from = database) => from.withTenant(tenantId, (tx) => openChannel(tx, tenantId, id));

/** Everything that the database has about channels, with bytes as text. */
async function everyRow(): Promise<string> {
  const { rows } = await owner.query<{ row: string }>(`
    select alert_channels::text || encode(secrets, 'escape') as row from alert_channels
    union all select audit_log::text from audit_log`);
  return rows.map(({ row }) => row).join('\n');
}

describe('a channel', () => {
  it('is opened as it was entered, and stands in no row in clear', async () => {
    const id = await created();
    expect(await opened(id)).toEqual(WEBHOOK);
    const rows = await everyRow();
    expect(rows).toContain('https://hooks.example');
    expect(rows).not.toContain('token-in-the-path');
    expect(rows).not.toContain(SECRET.slice(6, 30));
  });

  it('shows its receiver and no secret', async () => {
    const id = await created();
    expect(await channels.find(tenantId, id)).toMatchObject({
      name: 'on call',
      kind: 'webhook',
      settings: { kind: 'webhook', receiver: 'https://hooks.example' },
      status: 'active',
    });
    expect(JSON.stringify(await channels.list(tenantId, { limit: 10, after: undefined }))).not.toContain('token');
  });

  it('cannot stand in for another one', async () => {
    const [first, second] = [await created('first'), await created('second')];
    await owner.query(
      'update alert_channels set secrets = (select secrets from alert_channels where id = $1) where id = $2',
      [first, second],
    );
    await expect(opened(second)).rejects.toMatchObject({ code: 'CHANNEL_UNREADABLE' });
  });

  it('is unreadable without the operator key, and for ever without that of its tenant', async () => {
    const id = await created();
    const keyless = createDatabase({ connectionString: testDatabase.connectionString });
    await expect(opened(id, keyless)).rejects.toMatchObject({ code: 'CONTENT_KEY_MISSING' });
    await keyless.close();
    await database.withTenant(tenantId, (tx) => eraseDataKeys(tx, tenantId));
    const later = createDatabase({ connectionString: testDatabase.connectionString, keys: KEYS });
    await expect(opened(id, later)).rejects.toMatchObject({ code: 'CHANNEL_UNREADABLE' });
    await later.close();
  });

  it('signs with both secrets for a day after one was rotated', async () => {
    const id = await created();
    await channels.rotateSecret(by(), id, NEW_SECRET);
    const channel = await opened(id);
    expect(channel).toMatchObject({ signing_secret: NEW_SECRET, previous_signing_secret: SECRET });
    const until = channel.kind === 'webhook' ? Date.parse(channel.previous_secret_until ?? '') : 0;
    expect(Math.round((until - Date.now()) / 3_600_000)).toBe(24);
  });

  it('is called as no other one', async () => {
    const id = await created('first');
    expect(await channels.create(by(), 'first', WEBHOOK)).toEqual({ kind: 'name_taken' });
    await created('second');
    const change = { name: 'second', enabled: true, revise: (current: ChannelConfiguration) => current };
    expect(await channels.replace(by(), id, change)).toEqual({ kind: 'name_taken' });
  });

  it('that was disabled is enabled without its failures', async () => {
    const id = await created();
    await owner.query(
      "update alert_channels set status = 'disabled', disabled_reason = 'failing', failing_since = now() where id = $1",
      [id],
    );
    const change = { name: 'on call', enabled: true, revise: (current: ChannelConfiguration) => current };
    expect(await channels.replace(by(), id, change)).toMatchObject({
      channel: { status: 'active', disabledReason: undefined, failingSince: undefined },
    });
  });

  it('that was deleted keeps no secret and leaves its name', async () => {
    const id = await created();
    expect(await channels.remove(by(), id)).toBe(true);
    expect(await channels.remove(by(), id)).toBe(false);
    expect(await channels.find(tenantId, id)).toBeUndefined();
    await expect(opened(id)).rejects.toMatchObject({ code: 'CHANNEL_UNREADABLE' });
    await created();
  });

  it('is changed by nobody without a trace', async () => {
    const id = await created();
    await channels.rotateSecret(by(), id, NEW_SECRET);
    await channels.remove(by(), id);
    const { rows } = await owner.query<{ action: string }>(
      'select action from audit_log where tenant_id = $1 order by id',
      [tenantId],
    );
    expect(rows.map(({ action }) => action)).toEqual(['channel.created', 'channel.secret_rotated', 'channel.deleted']);
  });
});
