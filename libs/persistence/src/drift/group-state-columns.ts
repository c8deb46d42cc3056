import type { ArchivedUntil, DriftGroupState } from '@holdfast/core';
import type { DriftGroup, Prisma } from '../generated/client';

/** The columns that a group's state is kept in. */
export type GroupStateColumns = Pick<
  DriftGroup,
  'state' | 'firstSeenAt' | 'lastSeenAt' | 'archivedUntil' | 'archivedToCount'
>;

/** A group's state as the core knows it; `sinceAt` is when its newest step led to it, where one did. */
export function groupStateOf(row: GroupStateColumns, sinceAt: Date | undefined): DriftGroupState {
  switch (row.state) {
    case 'resolved':
      return { name: 'resolved' };
    case 'archived':
      return { name: 'archived', until: archivedUntil(row) };
    case 'new':
      return { name: 'new', sinceMs: row.firstSeenAt.getTime() };
    case 'ongoing':
    case 'escalating':
    case 'regressed':
      return { name: row.state, sinceMs: (sinceAt ?? row.lastSeenAt).getTime() };
    default:
      throw new TypeError(`A group of drift incidents has no state ${row.state}`);
  }
}

export function archivedUntil({
  archivedUntil: until,
  archivedToCount: toCount,
}: Pick<GroupStateColumns, 'archivedUntil' | 'archivedToCount'>): ArchivedUntil {
  if (until !== null) return { kind: 'time', atMs: until.getTime() };
  return toCount === null ? { kind: 'escalates' } : { kind: 'count', count: Number(toCount) };
}

/** What a group's row holds in a state that it takes now. */
export function columnsOfState(state: DriftGroupState, now: Date) {
  const until = state.name === 'archived' ? state.until : undefined;
  return {
    state: state.name,
    resolvedAt: state.name === 'resolved' ? now : null,
    archivedAt: until === undefined ? null : now,
    archivedUntil: until?.kind === 'time' ? new Date(until.atMs) : null,
    archivedToCount: until?.kind === 'count' ? BigInt(until.count) : null,
  } satisfies Prisma.DriftGroupUncheckedUpdateInput;
}
