import type { FormatName } from '@holdfast/core';
import type { TenantTransaction } from '../database';
import { loadOriginal } from '../originals';
import { unpackJson } from '../packed-json';
import { PersistenceError } from '../persistence-error';
import type { StoredIncident } from '../sessions/incident-repository';
import { originalText } from '../text';

/** An effect of the session that came after an incident, with the texts that a corrupted value could stand in. */
export interface LaterEffect {
  readonly id: string;
  readonly ref: string;
  readonly action: string;
  readonly status: string;
  readonly target: string;
  readonly idempotencyKey: string;
  readonly keptValues: string;
}

export interface WindowSource {
  readonly id: string;
  readonly format: FormatName;
  readonly source: Uint8Array;
}

/** What the store holds of a session after an incident. */
export interface Aftermath {
  /** Oldest first. */
  readonly effects: readonly LaterEffect[];
  /** The window that showed the incident, where a pass found it. */
  readonly own: WindowSource | undefined;
  /** Windows that the agent sent later, newest first. */
  readonly later: readonly WindowSource[];
  /** Later windows that were not read: too many, too large, or erased. */
  readonly leftOut: number;
}

const MOST_EFFECTS = 500;
/** The newest window shows most of what came before it. */
const MOST_WINDOWS = 3;
const MOST_BYTES = 8n * 1024n * 1024n;

export async function aftermathOf(
  tx: TenantTransaction,
  tenantId: string,
  { sessionId, compactionId, occurredAt }: StoredIncident,
): Promise<Aftermath> {
  if (sessionId === undefined) return { effects: [], own: undefined, later: [], leftOut: 0 };
  const since = new Date(occurredAt);
  const effects = await tx.effect.findMany({
    where: { tenantId, sessionId, createdAt: { gte: since } },
    orderBy: { no: 'asc' },
    take: MOST_EFFECTS,
  });
  const shape = { id: true, format: true, originalSha256: true, original: { select: { size: true } } } as const;
  const input = { tenantId, sessionId, kind: 'accepted' };
  const later = await tx.window.findMany({
    where: { ...input, createdAt: { gt: since } },
    orderBy: { id: 'desc' },
    take: MOST_WINDOWS,
    select: shape,
  });
  const all = await tx.window.count({ where: { ...input, createdAt: { gt: since } } });
  const pass =
    compactionId === undefined
      ? null
      : await tx.compaction.findUnique({
          where: { tenantId_id: { tenantId, id: compactionId } },
          select: { inputWindow: { select: shape } },
        });
  const sourceOf = async (window: (typeof later)[number]): Promise<WindowSource | undefined> => {
    if (window.original.size > MOST_BYTES) return undefined;
    try {
      const source = await loadOriginal(tx, tenantId, window.originalSha256);
      return { id: window.id, format: window.format as FormatName, source };
    } catch (error) {
      if (error instanceof PersistenceError && error.code !== 'STORE_UNAVAILABLE') return undefined;
      throw error;
    }
  };
  const own = pass === null ? undefined : await sourceOf(pass.inputWindow);
  const read: WindowSource[] = [];
  for (const window of later) {
    const source = await sourceOf(window);
    if (source !== undefined) read.push(source);
  }
  return { effects: await Promise.all(effects.map(laterEffect)), own, later: read, leftOut: all - read.length };
}

async function laterEffect(row: {
  readonly id: string;
  readonly no: bigint;
  readonly action: string;
  readonly target: string;
  readonly idempotencyKey: string | null;
  readonly status: string;
  readonly keptValues: Uint8Array;
}): Promise<LaterEffect> {
  return {
    id: row.id,
    ref: `E${String(row.no)}`,
    action: originalText(row.action),
    status: row.status,
    target: originalText(row.target),
    idempotencyKey: originalText(row.idempotencyKey ?? ''),
    keptValues: ((await unpackJson(row.keptValues)) as readonly string[]).join('\n'),
  };
}
