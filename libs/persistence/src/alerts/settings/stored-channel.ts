import type { ChannelConfiguration, ChannelKind } from '@holdfast/alerting';
import type { AlertChannel } from '../../generated/client';
import { fromJsonColumn } from '../../json-column';
import { originalText } from '../../text';

/** A channel that somebody deleted stays as the receiver of what was sent to it, without its secrets. */
export const DELETED_REASON = 'deleted';

/** A channel as one may show it. Times in ISO 8601 from the database's clock. */
export interface StoredChannel {
  readonly id: string;
  readonly name: string;
  readonly kind: ChannelKind;
  /** Fields that are no secrets, and `receiver`. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly status: 'active' | 'disabled';
  /** In words. */
  readonly disabledReason: string | undefined;
  readonly failingSince: string | undefined;
  readonly lastSuccessAt: string | undefined;
  readonly pausedUntil: string | undefined;
  readonly createdAt: string;
}

/** With its secrets: to be changed or sent to, and never to be shown. */
export interface OpenedChannel {
  readonly channel: StoredChannel;
  readonly configuration: ChannelConfiguration;
}

export function storedChannel(row: AlertChannel): StoredChannel {
  return {
    id: row.id,
    name: originalText(row.name),
    kind: row.kind as ChannelKind,
    settings: fromJsonColumn(row.settings) as StoredChannel['settings'],
    status: row.status as StoredChannel['status'],
    disabledReason: row.disabledReason === null ? undefined : originalText(row.disabledReason),
    failingSince: row.failingSince?.toISOString(),
    lastSuccessAt: row.lastSuccessAt?.toISOString(),
    pausedUntil: row.pausedUntil?.toISOString(),
    createdAt: row.createdAt.toISOString(),
  };
}
