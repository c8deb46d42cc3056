import { type ChannelConfiguration, type ChannelLimits, joinChannel, readChannel } from '@holdfast/alerting';
import type { TenantTransaction } from '../../database';
import { fromJsonColumn } from '../../json-column';
import { PersistenceError } from '../../persistence-error';
import { openSecrets } from './sealed-secrets';

/** What is stored was allowed when it was entered; whoever sends to it checks what is allowed now. */
const STORED_LIMITS: ChannelLimits = {
  allowPlainHttp: true,
  allowedPorts: 'any',
  allowPlainSmtp: true,
  allowedMailPorts: 'any',
};

interface ChannelColumns {
  readonly id: string;
  readonly settings: unknown;
  readonly secrets: Uint8Array;
}

/**
 * A channel with its secrets, to be sent to and for nothing else. Throws CHANNEL_UNREADABLE when there is none under this
 * id, when it was deleted, or when its secrets cannot be read; CONTENT_KEY_MISSING when this process has no operator key.
 */
export async function openChannel(
  tx: TenantTransaction,
  tenantId: string,
  channelId: string,
): Promise<ChannelConfiguration> {
  const row = await tx.alertChannel.findUnique({ where: { tenantId_id: { tenantId, id: channelId } } });
  if (row === null) throw new PersistenceError('CHANNEL_UNREADABLE', `There is no channel ${channelId}`);
  return openChannelRow(tx, tenantId, row);
}

/** As {@link openChannel}, of a row that was read. */
export async function openChannelRow(
  tx: TenantTransaction,
  tenantId: string,
  row: ChannelColumns,
): Promise<ChannelConfiguration> {
  const secrets = await openSecrets(tx, tenantId, row.id, row.secrets);
  const settings = fromJsonColumn(row.settings) as Readonly<Record<string, unknown>>;
  const { channel, problems } = readChannel(joinChannel({ settings, secrets }), STORED_LIMITS);
  if (channel !== null) return channel;
  const paths = problems.map(({ path }) => path).join(', ');
  throw new PersistenceError('CHANNEL_UNREADABLE', `Channel ${row.id} is not stored as one: ${paths}`);
}
