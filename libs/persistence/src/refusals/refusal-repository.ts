import type { Database } from '../database';
import { fromJsonColumn } from '../json-column';
import { EMPTY_PAGE, isUuid, numberPosition, type Page, pageOf, type PageRequest } from '../page';
import { originalText } from '../text';
import { countFacets, listGroups, type RefusalFacets, type RefusalFilter } from './list-groups';
import type { Resolution } from './resolution';
import { type ResolveAnswer, resolveRefusal } from './resolve-group';
import {
  type RefusalStep,
  type StoredRefusal,
  storedGroup,
  storedRefusal,
  type StoredRefusalGroup,
  WITH_SESSION,
} from './stored-group';
import { type GroupActor, type TriageAct, type TriageAnswer, triageGroup } from './triage';

/** A group with what one looks at first: its newest refusal. */
export interface RefusalGroupDetail {
  readonly group: StoredRefusalGroup;
  readonly newest: StoredRefusal | undefined;
}

/** Refusals as somebody works on them: groups of one agent, code and cause. */
export interface RefusalRepository {
  list(tenantId: string, filter: RefusalFilter, page: PageRequest): Promise<Page<StoredRefusalGroup>>;
  countFacets(tenantId: string, filter: RefusalFilter): Promise<RefusalFacets>;
  find(tenantId: string, id: string): Promise<RefusalGroupDetail | undefined>;
  /** Refused passes of a group, newest first. */
  listMembers(tenantId: string, groupId: string, page: PageRequest): Promise<Page<StoredRefusal>>;
  /** What was done about a group, oldest first. */
  listSteps(tenantId: string, groupId: string, page: PageRequest): Promise<Page<RefusalStep>>;
  /** Makes a change that is meant to let the refused passes pass, and retries them. */
  resolve(by: GroupActor, groupId: string, resolution: Resolution): Promise<ResolveAnswer>;
  triage(by: GroupActor, groupId: string, act: TriageAct): Promise<TriageAnswer>;
}

export function createRefusalRepository(database: Database): RefusalRepository {
  const reading = { idempotent: true };
  return {
    list: (tenantId, filter, page) =>
      database.withTenant(tenantId, (tx) => listGroups(tx, tenantId, filter, page), reading),

    countFacets: (tenantId, filter) =>
      database.withTenant(tenantId, (tx) => countFacets(tx, tenantId, filter), reading),

    find: (tenantId, id) =>
      database.withTenant(
        tenantId,
        async (tx) => {
          if (!isUuid(id)) return undefined;
          const row = await tx.refusalGroup.findUnique({ where: { tenantId_id: { tenantId, id } } });
          if (row === null) return undefined;
          const newest = await tx.refusal.findFirst({
            where: { tenantId, groupId: id },
            orderBy: { id: 'desc' },
            include: WITH_SESSION,
          });
          return { group: await storedGroup(row), newest: newest === null ? undefined : await storedRefusal(newest) };
        },
        reading,
      ),

    listMembers: (tenantId, groupId, { limit, after }) =>
      database.withTenant(
        tenantId,
        async (tx) => {
          if (!isUuid(groupId) || (after !== undefined && !isUuid(after))) return EMPTY_PAGE;
          const rows = await tx.refusal.findMany({
            where: { tenantId, groupId, ...(after === undefined ? {} : { id: { lt: after } }) },
            orderBy: { id: 'desc' },
            take: limit + 1,
            include: WITH_SESSION,
          });
          const { items, next } = pageOf(
            rows,
            limit,
            (row) => row,
            (row) => row.id,
          );
          return { items: await Promise.all(items.map(storedRefusal)), next };
        },
        reading,
      ),

    listSteps: (tenantId, groupId, { limit, after }) =>
      database.withTenant(
        tenantId,
        async (tx) => {
          const position = numberPosition(after);
          if (position === undefined || !isUuid(groupId)) return EMPTY_PAGE;
          const rows = await tx.refusalStep.findMany({
            where: { tenantId, groupId, id: { gt: position } },
            orderBy: { id: 'asc' },
            take: limit + 1,
          });
          return pageOf(
            rows,
            limit,
            (row): RefusalStep => ({
              id: String(row.id),
              kind: row.kind,
              actor: originalText(row.actor),
              comment: row.comment === null ? undefined : originalText(row.comment),
              detail: fromJsonColumn(row.detail) as RefusalStep['detail'],
              at: row.at.toISOString(),
            }),
            (row) => String(row.id),
          );
        },
        reading,
      ),

    resolve: (by, groupId, resolution) => resolveRefusal(database, by, groupId, resolution),

    triage: (by, groupId, act) => triageGroup(database, by, groupId, act),
  };
}
