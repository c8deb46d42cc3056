import { type ChannelConfiguration, splitChannel } from '@holdfast/alerting';
import { recordAudit } from '../../audit-repository';
import type { Database, TenantTransaction } from '../../database';
import type { AlertChannel } from '../../generated/client';
import { jsonColumn } from '../../json-column';
import { EMPTY_PAGE, isUuid, type Page, pageOf, type PageRequest } from '../../page';
import { storedText } from '../../text';
import { newId } from '../../uuid';
import { openChannelRow } from './open-channel';
import { sealSecrets } from './sealed-secrets';
import type { SettingsActor } from './settings-actor';
import { DELETED_REASON, type OpenedChannel, type StoredChannel, storedChannel } from './stored-channel';

/** `name_taken`: another channel of the tenant is called so. */
export type ChannelChange =
  | { readonly kind: 'done'; readonly channel: StoredChannel }
  | { readonly kind: 'name_taken' }
  | { readonly kind: 'unknown' };

export interface ChannelReplacement {
  readonly name: string;
  readonly enabled: boolean;
  /** The configuration to be, from the one that is; nothing of it may wait for anything. */
  readonly revise: (current: ChannelConfiguration) => ChannelConfiguration;
}

const DISABLED_BY_HAND = 'Somebody disabled it.';

/** Channels of a tenant; every change stands in its audit log. Secrets leave by `open` only. */
export interface ChannelRepository {
  create(by: SettingsActor, name: string, configuration: ChannelConfiguration): Promise<ChannelChange>;
  list(tenantId: string, page: PageRequest): Promise<Page<StoredChannel>>;
  find(tenantId: string, id: string): Promise<StoredChannel | undefined>;
  open(tenantId: string, id: string): Promise<OpenedChannel | undefined>;
  /** Enabling forgets the failures that disabled it. */
  replace(by: SettingsActor, id: string, replacement: ChannelReplacement): Promise<ChannelChange>;
  /** Signs with `secret` from now on, and with the one before it for a day. Unknown for a channel that does not sign. */
  rotateSecret(by: SettingsActor, id: string, secret: string): Promise<ChannelChange>;
  /** Forgets its secrets and what was still to be sent; what was sent stays readable. False when there is none. */
  remove(by: SettingsActor, id: string): Promise<boolean>;
}

export function createChannelRepository(database: Database): ChannelRepository {
  const reading = { idempotent: true };
  return {
    create: ({ tenantId, actor }, name, configuration) =>
      database.withTenant(tenantId, async (tx) => {
        const id = newId();
        const written = await insertChannel(tx, tenantId, id, name, configuration);
        if (!written) return { kind: 'name_taken' };
        const row = await tx.alertChannel.findUniqueOrThrow({ where: { tenantId_id: { tenantId, id } } });
        const { kind } = configuration;
        await recordAudit(tx, tenantId, { actor, action: 'channel.created', subject: id, detail: { name, kind } });
        return { kind: 'done', channel: storedChannel(row) };
      }),

    list: (tenantId, { limit, after }) =>
      database.withTenant(
        tenantId,
        async (tx) => {
          if (after !== undefined && !isUuid(after)) return EMPTY_PAGE;
          const rows = await tx.alertChannel.findMany({
            where: {
              tenantId,
              OR: [{ disabledReason: null }, { disabledReason: { not: DELETED_REASON } }],
              ...(after === undefined ? {} : { id: { gt: after } }),
            },
            orderBy: { id: 'asc' },
            take: limit + 1,
          });
          return pageOf(rows, limit, storedChannel, (row) => row.id);
        },
        reading,
      ),

    find: (tenantId, id) =>
      database.withTenant(
        tenantId,
        async (tx) => {
          const row = await channelRow(tx, tenantId, id);
          return row === undefined ? undefined : storedChannel(row);
        },
        reading,
      ),

    open: (tenantId, id) =>
      database.withTenant(
        tenantId,
        async (tx) => {
          const row = await channelRow(tx, tenantId, id);
          if (row === undefined) return undefined;
          return { channel: storedChannel(row), configuration: await openChannelRow(tx, tenantId, row) };
        },
        reading,
      ),

    replace: (by, id, { name, enabled, revise }) =>
      changeChannel(database, by, id, 'channel.changed', async (tx, row) => {
        if (await isNameTaken(tx, by.tenantId, id, name)) return 'name_taken';
        await writeConfiguration(tx, row, revise(await openChannelRow(tx, by.tenantId, row)), name);
        await writeStatus(tx, row, enabled);
        return { name, enabled };
      }),

    rotateSecret: (by, id, secret) =>
      changeChannel(database, by, id, 'channel.secret_rotated', async (tx, row) => {
        const current = await openChannelRow(tx, by.tenantId, row);
        if (current.kind !== 'webhook') return 'unknown';
        const [clock] = await tx.$queryRaw<{ until: Date }[]>`
          select clock_timestamp() + interval '24 hours' as until`;
        await writeConfiguration(tx, row, {
          kind: 'webhook',
          url: current.url,
          signing_secret: secret,
          previous_signing_secret: current.signing_secret,
          previous_secret_until: (clock?.until ?? new Date()).toISOString(),
        });
        return {};
      }),

    async remove(by, id) {
      const answer = await changeChannel(database, by, id, 'channel.deleted', removeChannel);
      return answer.kind === 'done';
    },
  };
}

/** What stands in the audit log about a change, or why there was none. */
type Change = Readonly<Record<string, unknown>> | 'name_taken' | 'unknown';

async function changeChannel(
  database: Database,
  { tenantId, actor }: SettingsActor,
  id: string,
  action: string,
  change: (tx: TenantTransaction, row: AlertChannel) => Promise<Change>,
): Promise<ChannelChange> {
  return database.withTenant(tenantId, async (tx) => {
    const row = await lockChannel(tx, tenantId, id);
    if (row === undefined) return { kind: 'unknown' };
    const detail = await change(tx, row);
    if (detail === 'name_taken' || detail === 'unknown') return { kind: detail };
    await recordAudit(tx, tenantId, { actor, action, subject: id, detail });
    const changed = await tx.alertChannel.findUniqueOrThrow({ where: { tenantId_id: { tenantId, id } } });
    return { kind: 'done', channel: storedChannel(changed) };
  });
}

async function channelRow(tx: TenantTransaction, tenantId: string, id: string): Promise<AlertChannel | undefined> {
  if (!isUuid(id)) return undefined;
  const row = await tx.alertChannel.findUnique({ where: { tenantId_id: { tenantId, id } } });
  return row === null || row.disabledReason === DELETED_REASON ? undefined : row;
}

async function lockChannel(tx: TenantTransaction, tenantId: string, id: string): Promise<AlertChannel | undefined> {
  if (!isUuid(id)) return undefined;
  await tx.$queryRaw`
    select id::text from alert_channels where tenant_id = ${tenantId}::uuid and id = ${id}::uuid for update`;
  return channelRow(tx, tenantId, id);
}

/** False when the name is taken. */
async function insertChannel(
  tx: TenantTransaction,
  tenantId: string,
  id: string,
  name: string,
  configuration: ChannelConfiguration,
): Promise<boolean> {
  const { settings, secrets } = splitChannel(configuration);
  const { count } = await tx.alertChannel.createMany({
    data: {
      ...{ tenantId, id, name: storedText(name), kind: configuration.kind },
      settings: jsonColumn(settings),
      secrets: await sealSecrets(tx, tenantId, id, secrets),
    },
    skipDuplicates: true,
  });
  return count === 1;
}

async function isNameTaken(tx: TenantTransaction, tenantId: string, id: string, name: string): Promise<boolean> {
  const other = await tx.alertChannel.findFirst({
    where: { tenantId, name: storedText(name), id: { not: id } },
    select: { id: true },
  });
  return other !== null;
}

async function writeConfiguration(
  tx: TenantTransaction,
  { tenantId, id, name: oldName }: AlertChannel,
  configuration: ChannelConfiguration,
  name?: string,
): Promise<void> {
  const { settings, secrets } = splitChannel(configuration);
  await tx.alertChannel.update({
    where: { tenantId_id: { tenantId, id } },
    data: {
      name: name === undefined ? oldName : storedText(name),
      settings: jsonColumn(settings),
      secrets: await sealSecrets(tx, tenantId, id, secrets),
    },
    select: { id: true },
  });
}

async function writeStatus(
  tx: TenantTransaction,
  { tenantId, id, status }: AlertChannel,
  enabled: boolean,
): Promise<void> {
  if (enabled === (status === 'active')) return;
  await tx.alertChannel.update({
    where: { tenantId_id: { tenantId, id } },
    data: enabled
      ? { status: 'active', disabledReason: null, failingSince: null, pausedUntil: null }
      : { status: 'disabled', disabledReason: DISABLED_BY_HAND },
    select: { id: true },
  });
}

async function removeChannel(tx: TenantTransaction, { tenantId, id, name, kind }: AlertChannel): Promise<Change> {
  await tx.$executeRaw`
    update alert_deliveries set state = 'abandoned', finished_at = clock_timestamp(), next_attempt_at = null
    where tenant_id = ${tenantId}::uuid and channel_id = ${id}::uuid and state = 'pending'`;
  await tx.alertChannel.update({
    where: { tenantId_id: { tenantId, id } },
    data: {
      // Its name is free for another one.
      ...{ name: `${name} (deleted ${id})`, status: 'disabled', disabledReason: DELETED_REASON },
      ...{ settings: { kind }, secrets: new Uint8Array() },
    },
    select: { id: true },
  });
  return { name };
}
