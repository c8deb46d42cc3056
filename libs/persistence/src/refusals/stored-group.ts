import type { Refusal, RefusalCode, Repair } from '@holdfast/core';
import type { TenantTransaction } from '../database';
import type { Prisma, RefusalGroup } from '../generated/client';
import { unpackJson } from '../packed-json';
import { originalText } from '../text';

export const REFUSAL_STATUSES = ['open', 'acknowledged', 'resolved', 'dismissed'] as const;
export type RefusalStatus = (typeof REFUSAL_STATUSES)[number];

/** Refusals of one agent, code and cause; times in ISO 8601 from the database's clock. */
export interface StoredRefusalGroup {
  readonly id: string;
  readonly agentId: string;
  readonly code: RefusalCode;
  readonly cause: string;
  readonly tools: readonly string[];
  readonly status: RefusalStatus;
  readonly severity: 'page' | 'ticket';
  readonly assignee: string | undefined;
  readonly count: number;
  readonly sessions: number;
  /** Of the newest refusal. */
  readonly headroomTokens: number | undefined;
  readonly repairs: readonly Repair[];
  readonly lastRefusalId: string | undefined;
  readonly firstSeenAt: string;
  readonly lastSeenAt: string;
  readonly acknowledgedAt: string | undefined;
  readonly resolvedAt: string | undefined;
  /** Resolution that is being tried, or that closed it. */
  readonly resolution: string | undefined;
  readonly retriesOpen: number;
}

/** One refused pass of a group. */
export interface StoredRefusal {
  readonly id: string;
  readonly compactionId: string;
  readonly sessionId: string;
  /** The caller's own id of the session. */
  readonly session: string;
  readonly status: RefusalStatus;
  readonly refusal: Refusal;
  readonly createdAt: string;
  readonly resolvedAt: string | undefined;
}

export interface RefusalStep {
  readonly id: string;
  readonly kind: string;
  readonly actor: string;
  readonly comment: string | undefined;
  readonly detail: Readonly<Record<string, unknown>>;
  readonly at: string;
}

/** Columns are checked by the database's own copies of these tables; packed ones are written by nobody else. */
export async function storedGroup(row: RefusalGroup): Promise<StoredRefusalGroup> {
  return {
    id: row.id,
    agentId: row.agentId,
    code: row.code as RefusalCode,
    cause: row.cause,
    tools: row.tools,
    status: row.status as RefusalStatus,
    severity: row.severity as StoredRefusalGroup['severity'],
    assignee: row.assignee === null ? undefined : originalText(row.assignee),
    count: Number(row.count),
    sessions: Number(row.sessions),
    headroomTokens: row.headroomTokens === null ? undefined : Number(row.headroomTokens),
    repairs: (await unpackJson(row.repairs)) as readonly Repair[],
    lastRefusalId: row.lastRefusalId ?? undefined,
    firstSeenAt: row.firstSeenAt.toISOString(),
    lastSeenAt: row.lastSeenAt.toISOString(),
    acknowledgedAt: row.acknowledgedAt?.toISOString(),
    resolvedAt: row.resolvedAt?.toISOString(),
    resolution: row.resolution ?? undefined,
    retriesOpen: row.retriesOpen,
  };
}

export const WITH_SESSION = {
  compaction: { select: { session: { select: { externalId: true } } } },
} satisfies Prisma.RefusalInclude;
type RefusalRow = Prisma.RefusalGetPayload<{ include: typeof WITH_SESSION }>;

export async function storedRefusal(row: RefusalRow): Promise<StoredRefusal> {
  return {
    id: row.id,
    compactionId: row.compactionId,
    sessionId: row.sessionId,
    session: originalText(row.compaction.session.externalId),
    status: row.status as RefusalStatus,
    refusal: await refusalOfRow(row),
    createdAt: row.createdAt.toISOString(),
    resolvedAt: row.resolvedAt?.toISOString(),
  };
}

type RefusalColumns = Pick<
  RefusalRow,
  'code' | 'evidence' | 'repairs' | 'floorTokens' | 'shortfallTokens' | 'headroomTokens'
>;

/** The refusal as the core said it. */
export async function refusalOfRow(row: RefusalColumns): Promise<Refusal> {
  const { message, elements } = (await unpackJson(row.evidence)) as Pick<Refusal, 'message' | 'elements'>;
  const tokens = (count: bigint | null): number | undefined => (count === null ? undefined : Number(count));
  return {
    code: row.code as Refusal['code'],
    message,
    elements,
    floor_tokens: tokens(row.floorTokens),
    shortfall_tokens: tokens(row.shortfallTokens),
    headroom_tokens: tokens(row.headroomTokens),
    repairs: (await unpackJson(row.repairs)) as Refusal['repairs'],
  };
}

/** The group, locked for the rest of the transaction; undefined when the tenant has none of that id. */
export async function lockGroup(
  tx: TenantTransaction,
  tenantId: string,
  id: string,
): Promise<RefusalGroup | undefined> {
  await tx.$queryRaw`
    select 1 as locked from refusal_groups
    where tenant_id = ${tenantId}::uuid and id = ${id}::uuid for no key update`;
  return (await tx.refusalGroup.findUnique({ where: { tenantId_id: { tenantId, id } } })) ?? undefined;
}

export function isLive(status: string): boolean {
  return status === 'open' || status === 'acknowledged';
}
