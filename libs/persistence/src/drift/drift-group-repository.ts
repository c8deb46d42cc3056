import type { ArchivedUntil, DriftGroupState, DriftGroupStateName, DriftKind } from '@holdfast/core';
import type { Database, TenantTransaction } from '../database';
import type { DriftGroup } from '../generated/client';
import { fromJsonColumn } from '../json-column';
import { EMPTY_PAGE, isUuid, type Page, pageOf, type PageRequest } from '../page';
import { storedIncident, type StoredIncident } from '../sessions/incident-repository';
import { originalText, storedText } from '../text';
import { type Aftermath, aftermathOf } from './aftermath';
import { writeDriftSignal } from './drift-signal';
import { countFacets, type DriftFacets, type DriftGroupFilter, whereOf } from './group-filter';
import { archivedUntil } from './group-state-columns';
import { changeState, lockGroup, writeStep } from './locked-group';
import { type SeenSession, sessionsOfGroup } from './seen-sessions';
import { settleGroups } from './settle-groups';

/** A group of drift incidents that are worked on as one; times in ISO 8601 from the database's clock. */
export interface StoredDriftGroup {
  readonly id: string;
  readonly agentId: string;
  readonly fingerprint: string;
  readonly groupingVersion: number;
  readonly kind: DriftKind;
  readonly fieldKind: string;
  readonly place: string;
  readonly severity: 'error' | 'warning';
  readonly state: DriftGroupStateName;
  readonly assignee: string | undefined;
  readonly count: number;
  readonly sessions: number;
  readonly lastIncidentId: string | undefined;
  readonly firstSeenAt: string;
  readonly lastSeenAt: string;
  readonly resolvedAt: string | undefined;
  readonly archivedAt: string | undefined;
  readonly archivedUntil: ArchivedUntil | undefined;
}

/** One step of a group's history, by somebody or by the system. */
export interface StoredDriftStep {
  readonly id: string;
  readonly kind: string;
  readonly actor: string;
  readonly comment: string | undefined;
  readonly detail: unknown;
  readonly at: string;
}

export interface DriftGroupHistory {
  readonly group: StoredDriftGroup;
  /** Oldest first; the newest 200. */
  readonly steps: readonly StoredDriftStep[];
  readonly newest: StoredIncident | undefined;
  /** The first of its incidents that a pass found. */
  readonly first: StoredIncident | undefined;
}

/** What somebody does about a group. */
export type DriftGroupChange =
  | { readonly kind: 'resolved' | 'reopened'; readonly comment?: string | undefined }
  | {
      readonly kind: 'archived';
      readonly until:
        | { readonly kind: 'time'; readonly at: Date }
        /** So many more of them. */
        | { readonly kind: 'occurrences'; readonly count: number }
        | { readonly kind: 'escalates' };
      readonly comment?: string | undefined;
    }
  /** Null for nobody. */
  | { readonly kind: 'assigned'; readonly assignee: string | null; readonly comment?: string | undefined }
  | { readonly kind: 'commented'; readonly comment: string };

export interface DriftGroupRepository {
  /** Last seen first. */
  list(tenantId: string, filter: DriftGroupFilter, page: PageRequest): Promise<Page<StoredDriftGroup>>;
  /** How many groups each value of a filter would leave, with the other filters as they are. */
  facets(tenantId: string, filter: DriftGroupFilter): Promise<DriftFacets>;
  find(tenantId: string, id: string): Promise<DriftGroupHistory | undefined>;
  /** Sessions of the newest 10,000 incidents, newest first, at most 50. */
  listSessions(tenantId: string, id: string): Promise<readonly SeenSession[]>;
  /** What came after an incident in its session, for a look at what a corrupted value did. */
  findAftermath(tenantId: string, incident: StoredIncident): Promise<Aftermath>;
  /** Newest first. */
  listOccurrences(tenantId: string, id: string, page: PageRequest): Promise<Page<StoredIncident>>;
  /** Changes a group and writes the step down, in its history and in the audit log. Undefined where there is none. */
  change(tenantId: string, id: string, actor: string, change: DriftGroupChange): Promise<StoredDriftGroup | undefined>;
}

const MOST_STEPS = 200;

export function createDriftGroupRepository(database: Database): DriftGroupRepository {
  const again = { idempotent: true };
  return {
    list: (tenantId, filter, { limit, after }) =>
      database.withTenant(
        tenantId,
        async (tx) => {
          await settleGroups(tx, tenantId);
          const position = after === undefined ? undefined : positionOf(after);
          if (position === null) return EMPTY_PAGE;
          const { seen, id } = position ?? {};
          const behind =
            seen === undefined || id === undefined
              ? {}
              : { OR: [{ lastSeenAt: { lt: seen } }, { lastSeenAt: seen, id: { lt: id } }], lastSeenAt: { lte: seen } };
          const rows = await tx.driftGroup.findMany({
            where: { ...whereOf(tenantId, filter), ...behind },
            orderBy: [{ lastSeenAt: 'desc' }, { id: 'desc' }],
            take: limit + 1,
          });
          return pageOf(rows, limit, storedGroup, (row) => `${String(row.lastSeenAt.getTime())}.${row.id}`);
        },
        again,
      ),

    facets: (tenantId, filter) =>
      database.withTenant(
        tenantId,
        async (tx) => {
          await settleGroups(tx, tenantId);
          return countFacets(tx, tenantId, filter);
        },
        again,
      ),

    find: (tenantId, id) =>
      database.withTenant(
        tenantId,
        async (tx) => {
          if (!isUuid(id)) return undefined;
          const locked = await lockGroup(tx, tenantId, id);
          if (locked === undefined) return undefined;
          const of = { tenantId, groupId: id };
          const steps = await tx.driftStep.findMany({ where: of, orderBy: { id: 'desc' }, take: MOST_STEPS });
          const newest = await tx.driftIncident.findFirst({ where: of, orderBy: { id: 'desc' } });
          const first = await tx.driftIncident.findFirst({ where: of, orderBy: { id: 'asc' } });
          return {
            group: storedGroup(locked.row),
            steps: steps.reverse().map((step) => ({
              id: String(step.id),
              kind: step.kind,
              actor: originalText(step.actor),
              comment: step.comment === null ? undefined : originalText(step.comment),
              detail: fromJsonColumn(step.detail),
              at: step.at.toISOString(),
            })),
            newest: newest === null ? undefined : await storedIncident(newest),
            first: first === null ? undefined : await storedIncident(first),
          };
        },
        again,
      ),

    listOccurrences: (tenantId, groupId, { limit, after }) =>
      database.withTenant(
        tenantId,
        async (tx) => {
          if (!isUuid(groupId) || (after !== undefined && !isUuid(after))) return EMPTY_PAGE;
          const rows = await tx.driftIncident.findMany({
            where: { tenantId, groupId, ...(after === undefined ? {} : { id: { lt: after } }) },
            orderBy: { id: 'desc' },
            take: limit + 1,
          });
          const page = pageOf(rows, limit, storedIncident, (row) => row.id);
          return { items: await Promise.all(page.items), next: page.next };
        },
        again,
      ),

    listSessions: (tenantId, id) => database.withTenant(tenantId, (tx) => sessionsOfGroup(tx, tenantId, id), again),

    findAftermath: (tenantId, incident) =>
      database.withTenant(tenantId, (tx) => aftermathOf(tx, tenantId, incident), again),

    change: (tenantId, id, actor, change) =>
      database.withTenant(tenantId, async (tx) => {
        if (!isUuid(id)) return undefined;
        const locked = await lockGroup(tx, tenantId, id);
        if (locked === undefined) return undefined;
        const { row, now } = locked;
        const step = { kind: change.kind, actor, comment: change.comment, detail: detailOf(change) };
        const state = stateAfter(change, row, now);
        if (state !== undefined) await changeState(tx, row, state, now, step);
        else await writeStep(tx, tenantId, id, step);
        if (change.kind === 'resolved') await endAlert(tx, row);
        if (change.kind === 'assigned') {
          const assignee = change.assignee === null ? null : storedText(change.assignee);
          await tx.driftGroup.update({
            where: { tenantId_id: { tenantId, id } },
            data: { assignee },
            select: { id: true },
          });
        }
        await tx.auditLog.create({
          data: {
            ...{ tenantId, actor: storedText(actor), action: `drift-group.${change.kind}`, subject: id },
            detail: detailOf(change),
          },
          select: { id: true },
        });
        return loadGroup(tx, tenantId, id);
      }),
  };
}

/** An alert speaks of what drifts alike in an agent: it is over once no group of that kind is open any more. */
async function endAlert(
  tx: TenantTransaction,
  { tenantId, id, agentId, kind, fieldKind, severity }: DriftGroup,
): Promise<void> {
  const open = await tx.driftGroup.findFirst({
    where: { tenantId, agentId, kind, severity: 'error', state: { notIn: ['resolved', 'archived'] } },
    select: { id: true },
  });
  if (open !== null) return;
  await writeDriftSignal(tx, tenantId, 'drift.resolved', { agentId, groupId: id, kind, fieldKind, severity });
}

async function loadGroup(tx: TenantTransaction, tenantId: string, id: string): Promise<StoredDriftGroup> {
  return storedGroup(await tx.driftGroup.findUniqueOrThrow({ where: { tenantId_id: { tenantId, id } } }));
}

/** Undefined where the state stays. */
function stateAfter(change: DriftGroupChange, row: DriftGroup, now: Date): DriftGroupState | undefined {
  switch (change.kind) {
    case 'resolved':
      return { name: 'resolved' };
    case 'reopened':
      return { name: 'ongoing', sinceMs: now.getTime() };
    case 'archived': {
      const { until } = change;
      if (until.kind === 'time') return { name: 'archived', until: { kind: 'time', atMs: until.at.getTime() } };
      if (until.kind === 'escalates') return { name: 'archived', until };
      return { name: 'archived', until: { kind: 'count', count: Number(row.count) + until.count } };
    }
    default:
      return undefined;
  }
}

/** Names and codes of a change; its comment has a column of its own. */
function detailOf(change: DriftGroupChange): Record<string, string | number | null> {
  if (change.kind === 'assigned') return { assignee: change.assignee };
  if (change.kind !== 'archived') return {};
  const { until } = change;
  if (until.kind === 'time') return { until: until.at.toISOString() };
  return until.kind === 'occurrences' ? { until: 'occurrences', occurrences: until.count } : { until: 'escalates' };
}

function positionOf(after: string): { readonly seen: Date; readonly id: string } | null {
  const [ms = '', id = ''] = after.split('.');
  const seen = new Date(Number(ms));
  return Number.isNaN(seen.getTime()) || !isUuid(id) ? null : { seen, id };
}

function storedGroup(row: DriftGroup): StoredDriftGroup {
  return {
    id: row.id,
    agentId: row.agentId,
    fingerprint: row.fingerprint,
    groupingVersion: row.groupingVersion,
    kind: row.kind as DriftKind,
    fieldKind: row.fieldKind,
    place: row.place,
    severity: row.severity as StoredDriftGroup['severity'],
    state: row.state as DriftGroupStateName,
    assignee: row.assignee === null ? undefined : originalText(row.assignee),
    count: Number(row.count),
    sessions: Number(row.sessions),
    lastIncidentId: row.lastIncidentId ?? undefined,
    firstSeenAt: row.firstSeenAt.toISOString(),
    lastSeenAt: row.lastSeenAt.toISOString(),
    resolvedAt: row.resolvedAt?.toISOString(),
    archivedAt: row.archivedAt?.toISOString(),
    archivedUntil: row.archivedAt === null ? undefined : archivedUntil(row),
  };
}
