import type { DriftGroupDetailResponse, DriftGroupResponse } from '@holdfast/contracts';
import { groupTitle } from '@holdfast/core';
import { incidentView } from '../incidents/incident-view';
import type { DriftGroupHistory, SeenSession, StoredDriftGroup } from '../ports/repositories';
import { differingSides } from './byte-difference';

/** A group of drift incidents on the wire. */
export function driftGroupView(group: StoredDriftGroup): DriftGroupResponse {
  return {
    id: group.id,
    agent: group.agentId,
    title: groupTitle(group),
    kind: group.kind,
    field_kind: group.fieldKind,
    place: group.place,
    severity: group.severity,
    state: group.state,
    assignee: group.assignee ?? null,
    count: group.count,
    sessions: group.sessions,
    first_seen_at: group.firstSeenAt,
    last_seen_at: group.lastSeenAt,
    resolved_at: group.resolvedAt ?? null,
    archived_at: group.archivedAt ?? null,
    archived_until: archivedUntilView(group.archivedUntil),
  };
}

function archivedUntilView(until: StoredDriftGroup['archivedUntil']): DriftGroupResponse['archived_until'] {
  switch (until?.kind) {
    case undefined:
      return null;
    case 'time':
      return { until: 'time', at: new Date(until.atMs).toISOString() };
    case 'count':
      return { until: 'count', count: until.count };
    case 'escalates':
      return { until: 'escalates' };
  }
}

/** Everything about a group but its occurrences. */
export function driftGroupDetailView(
  { group, steps, newest, first }: DriftGroupHistory,
  seen: readonly SeenSession[],
): Omit<DriftGroupDetailResponse, 'occurrences'> {
  const { agentId: agent, kind, fieldKind, place } = group;
  return {
    ...driftGroupView(group),
    grouping: {
      version: group.groupingVersion,
      fingerprint: group.fingerprint,
      of: { agent, kind, field_kind: fieldKind, place },
      words: `incidents of ${agent} of the kind ${kind}, in a field of the kind ${fieldKind}${place === '' ? '' : `, in ${place}`}: indexes, ids and numbers do not count`,
    },
    newest:
      newest === undefined
        ? null
        : { incident: incidentView(newest), ...differingSides(newest.expected, newest.observed) },
    first: first === undefined ? null : incidentView(first),
    seen_in: seen.map(({ sessionId, session, count, lastSeenAt }) => ({
      ...{ session_id: sessionId, session, count, last_seen_at: lastSeenAt },
    })),
    steps: steps.map(({ id, kind: step, actor, comment, detail, at }) => ({
      ...{ id, kind: step, actor, comment: comment ?? null, at },
      detail: typeof detail === 'object' && detail !== null ? { ...detail } : {},
    })),
  };
}
