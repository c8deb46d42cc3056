import type { WindowIncident } from '@holdfast/core';
import type { Database, TenantTransaction } from '../database';
import { recordIncidents } from '../drift/record-incidents';
import type { DriftIncident } from '../generated/client';
import { EMPTY_PAGE, isUuid, type Page, pageOf, type PageRequest } from '../page';
import { unpackJson } from '../packed-json';
import { storedText } from '../text';
import { newId } from '../uuid';

/** A drift incident as it was found; times in ISO 8601 from the database's clock. */
export interface StoredIncident extends WindowIncident {
  readonly id: string;
  readonly agentId: string;
  readonly sessionId: string | undefined;
  readonly compactionId: string | undefined;
  readonly occurredAt: string;
}

export interface IncidentFilter {
  /** Undefined for all agents. */
  readonly agentIds: readonly string[] | undefined;
  readonly compactionId: string | undefined;
}

export interface IncidentRepository {
  /** Appends what an audit found in a session of an agent; the session is made where it is new. */
  record(
    tenantId: string,
    session: { readonly agentId: string; readonly session: string },
    incidents: readonly WindowIncident[],
  ): Promise<void>;
  /** Newest first. */
  list(tenantId: string, filter: IncidentFilter, page: PageRequest): Promise<Page<StoredIncident>>;
}

export function createIncidentRepository(database: Database): IncidentRepository {
  return {
    record: (tenantId, { agentId, session }, incidents) =>
      database.withTenant(tenantId, async (tx) => {
        const externalId = storedText(session);
        await tx.$executeRaw`
          insert into sessions (tenant_id, id, agent_id, external_id)
          values (${tenantId}::uuid, ${newId()}::uuid, ${agentId}, ${externalId}) on conflict do nothing`;
        const { id: sessionId } = await tx.session.findUniqueOrThrow({
          where: { tenantId_agentId_externalId: { tenantId, agentId, externalId } },
          select: { id: true },
        });
        await recordIncidents(tx, { tenantId, agentId, sessionId, compactionId: null }, incidents);
      }),

    list: (tenantId, { agentIds, compactionId }, { limit, after }) =>
      database.withTenant(
        tenantId,
        async (tx) => {
          if ([after, compactionId].some((id) => id !== undefined && !isUuid(id))) return EMPTY_PAGE;
          const rows = await tx.driftIncident.findMany({
            where: {
              tenantId,
              ...(agentIds === undefined ? {} : { agentId: { in: [...agentIds] } }),
              ...(compactionId === undefined ? {} : { compactionId }),
              ...(after === undefined ? {} : { id: { lt: after } }),
            },
            // Ids grow with time.
            orderBy: { id: 'desc' },
            take: limit + 1,
          });
          const page = pageOf(
            rows,
            limit,
            (row) => row,
            (row) => row.id,
          );
          const items = page.items.map(storedIncident);
          return { items: await Promise.all(items), next: page.next };
        },
        { idempotent: true },
      ),
  };
}

/** Incidents of one pass, in the order in which they were found. */
export async function incidentsOf(
  tx: TenantTransaction,
  tenantId: string,
  compactionId: string,
): Promise<readonly StoredIncident[]> {
  const rows = await tx.driftIncident.findMany({ where: { tenantId, compactionId }, orderBy: { id: 'asc' } });
  return Promise.all(rows.map(storedIncident));
}

export async function storedIncident(row: DriftIncident): Promise<StoredIncident> {
  const text = (bytes: Uint8Array | null): string | null =>
    bytes === null ? null : Buffer.from(bytes).toString('utf8');
  const place = (await unpackJson(row.place)) as Pick<WindowIncident, 'subject' | 'path' | 'message'>;
  return {
    id: row.id,
    agentId: row.agentId,
    sessionId: row.sessionId ?? undefined,
    compactionId: row.compactionId ?? undefined,
    kind: row.kind as WindowIncident['kind'],
    severity: row.severity as WindowIncident['severity'],
    expected: text(row.expected),
    observed: text(row.observed),
    ...place,
    occurredAt: row.occurredAt.toISOString(),
  };
}
