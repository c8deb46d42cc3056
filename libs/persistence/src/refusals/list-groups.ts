import type { TenantTransaction } from '../database';
import { Prisma } from '../generated/client';
import { EMPTY_PAGE, isUuid, type Page, type PageRequest } from '../page';
import { originalText, storedText } from '../text';
import { type RefusalStatus, type StoredRefusalGroup, storedGroup } from './stored-group';

export interface RefusalFilter {
  /** Undefined for all agents. */
  readonly agentIds: readonly string[] | undefined;
  readonly status?: RefusalStatus | undefined;
  readonly code?: string | undefined;
  readonly severity?: string | undefined;
  readonly assignee?: string | undefined;
}

export const REFUSAL_FACETS = ['status', 'severity', 'code', 'agent', 'assignee'] as const;
export type RefusalFacet = (typeof REFUSAL_FACETS)[number];
/** Groups by value of each facet, most first; a facet counts under the other filters. */
export type RefusalFacets = Readonly<
  Record<RefusalFacet, readonly { readonly value: string; readonly count: number }[]>
>;

const MOST_VALUES = 20;
const COLUMNS: Readonly<Record<RefusalFacet, string>> = {
  status: 'status',
  severity: 'severity',
  code: 'code',
  agent: 'agent_id',
  assignee: 'assignee',
};

/** Groups by when they were last seen, newest first; the position is that time in microseconds, and the id. */
export async function listGroups(
  tx: TenantTransaction,
  tenantId: string,
  filter: RefusalFilter,
  { limit, after }: PageRequest,
): Promise<Page<StoredRefusalGroup>> {
  const [micros, id] = (after ?? '').split('.');
  if (after !== undefined && (id === undefined || !isUuid(id) || !/^\d{1,18}$/u.test(micros ?? ''))) return EMPTY_PAGE;
  const behind =
    after === undefined
      ? Prisma.empty
      : Prisma.sql`and (last_seen_at, id) <
          ('epoch'::timestamptz + ${micros}::bigint * interval '1 microsecond', ${id}::uuid)`;
  const found = await tx.$queryRaw<{ id: string; micros: bigint }[]>`
    select id::text as id, (extract(epoch from last_seen_at) * 1000000)::bigint as micros from refusal_groups
    where ${conditions(tenantId, filter)} ${behind}
    order by last_seen_at desc, id desc limit ${limit + 1}::int`;
  const shown = found.slice(0, limit);
  const rows = await tx.refusalGroup.findMany({ where: { tenantId, id: { in: shown.map((row) => row.id) } } });
  const byId = new Map(rows.map((row) => [row.id, row]));
  const items = shown.flatMap((row) => byId.get(row.id) ?? []).map(storedGroup);
  const last = shown.at(-1);
  return {
    items: await Promise.all(items),
    next: found.length > limit && last !== undefined ? `${last.micros}.${last.id}` : undefined,
  };
}

export async function countFacets(
  tx: TenantTransaction,
  tenantId: string,
  filter: RefusalFilter,
): Promise<RefusalFacets> {
  const counts: Partial<Record<RefusalFacet, { value: string; count: number }[]>> = {};
  for (const facet of REFUSAL_FACETS) {
    const column = Prisma.raw(COLUMNS[facet]);
    const others = facet === 'agent' ? filter : { ...filter, [facet]: undefined };
    const rows = await tx.$queryRaw<{ value: string; count: number }[]>`
      select ${column} as value, count(*)::int as count from refusal_groups
      where ${conditions(tenantId, others)} and ${column} is not null
      group by 1 order by 2 desc, 1 limit ${MOST_VALUES}::int`;
    counts[facet] = rows.map(({ value, count }) => ({ value: originalText(value), count }));
  }
  const { status = [], severity = [], code = [], agent = [], assignee = [] } = counts;
  return { status, severity, code, agent, assignee };
}

function conditions(tenantId: string, filter: RefusalFilter): Prisma.Sql {
  const { agentIds, assignee, ...equal } = filter;
  const parts = [Prisma.sql`tenant_id = ${tenantId}::uuid`];
  if (agentIds !== undefined) parts.push(Prisma.sql`agent_id = any(${[...agentIds]}::text[])`);
  if (assignee !== undefined) parts.push(Prisma.sql`assignee = ${storedText(assignee)}`);
  for (const column of ['status', 'code', 'severity'] as const) {
    const value = equal[column];
    if (value !== undefined) parts.push(Prisma.sql`${Prisma.raw(column)} = ${value}`);
  }
  return Prisma.join(parts, ' and ');
}
