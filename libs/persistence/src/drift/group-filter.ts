import type { DriftGroupStateName } from '@holdfast/core';
import type { TenantTransaction } from '../database';
import type { Prisma } from '../generated/client';
import { originalText, storedText } from '../text';

export interface DriftGroupFilter {
  readonly state: DriftGroupStateName | undefined;
  /** Undefined for all agents. */
  readonly agentIds: readonly string[] | undefined;
  readonly kind: string | undefined;
  readonly severity: 'error' | 'warning' | undefined;
  /** Empty for those that nobody has. */
  readonly assignee: string | undefined;
}

export interface FacetValue {
  readonly value: string;
  readonly count: number;
}

/** Counts by value, most first; the assignee of those that nobody has is the empty text. */
export type DriftFacets = Readonly<Record<'state' | 'agent' | 'kind' | 'severity' | 'assignee', readonly FacetValue[]>>;

/** More values of one facet are of no use in a list of them. */
const MOST_VALUES = 100;

export function whereOf(tenantId: string, filter: DriftGroupFilter): Prisma.DriftGroupWhereInput {
  const { state, agentIds, kind, severity, assignee } = filter;
  return {
    tenantId,
    ...(state === undefined ? {} : { state }),
    ...(agentIds === undefined ? {} : { agentId: { in: [...agentIds] } }),
    ...(kind === undefined ? {} : { kind }),
    ...(severity === undefined ? {} : { severity }),
    ...(assignee === undefined ? {} : { assignee: assignee === '' ? null : storedText(assignee) }),
  };
}

/** One count for each facet, with every filter but its own. The agents that a key is bound to are never its own. */
export async function countFacets(
  tx: TenantTransaction,
  tenantId: string,
  filter: DriftGroupFilter,
): Promise<DriftFacets> {
  const count = async (
    column: 'state' | 'agentId' | 'kind' | 'severity' | 'assignee',
    without: Partial<DriftGroupFilter>,
  ): Promise<readonly FacetValue[]> => {
    const rows = await tx.driftGroup.groupBy({
      by: [column],
      where: whereOf(tenantId, { ...filter, ...without }),
      _count: { _all: true },
    });
    const counts = rows.map((row) => ({ value: originalText(row[column] ?? ''), count: row._count._all }));
    return counts.sort((a, b) => b.count - a.count).slice(0, MOST_VALUES);
  };
  return {
    state: await count('state', { state: undefined }),
    agent: await count('agentId', {}),
    kind: await count('kind', { kind: undefined }),
    severity: await count('severity', { severity: undefined }),
    assignee: await count('assignee', { assignee: undefined }),
  };
}
