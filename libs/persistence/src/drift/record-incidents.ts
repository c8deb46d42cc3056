import {
  afterOccurrence,
  type DriftRate,
  escalationThreshold,
  groupIncident,
  type IncidentGrouping,
  RATE_SPAN_MS,
  type WindowIncident,
} from '@holdfast/core';
import type { TenantTransaction } from '../database';
import { packJson } from '../packed-json';
import { newId } from '../uuid';
import { writeDriftSignal } from './drift-signal';
import { columnsOfState } from './group-state-columns';
import { type LockedGroup, lockGroup, SYSTEM_ACTOR, writeStep } from './locked-group';

/** Whose incidents they are. Those of an audit belong to no pass. */
export interface IncidentOrigin {
  readonly tenantId: string;
  readonly agentId: string;
  readonly sessionId: string;
  readonly compactionId: string | null;
}

interface Occurrences {
  readonly grouping: IncidentGrouping;
  readonly incidents: readonly WindowIncident[];
}

/** A threshold beyond this is not looked at with every occurrence but a hundred times on the way to it. */
const CLOSE_THRESHOLD = 1_000;

/**
 * Appends incidents, each to the group of its fingerprint: counts, state, and the signals that alerts are made of, in
 * the transaction that found them. The newest id of a group is the last of its incidents.
 */
export async function recordIncidents(
  tx: TenantTransaction,
  origin: IncidentOrigin,
  incidents: readonly WindowIncident[],
): Promise<void> {
  const groups = new Map<string, { grouping: IncidentGrouping; incidents: WindowIncident[] }>();
  for (const incident of incidents) {
    const grouping = groupIncident(origin.agentId, incident);
    const group = groups.get(grouping.fingerprint) ?? { grouping, incidents: [] };
    group.incidents.push(incident);
    groups.set(grouping.fingerprint, group);
  }
  // In one order everywhere, so that two passes never wait for each other.
  const ordered = [...groups].sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [, occurrences] of ordered) await recordOccurrences(tx, origin, occurrences);
}

async function recordOccurrences(
  tx: TenantTransaction,
  origin: IncidentOrigin,
  { grouping, incidents }: Occurrences,
): Promise<void> {
  const { tenantId, agentId, sessionId } = origin;
  const [first] = incidents;
  if (first === undefined) return;
  const severity = incidents.some((incident) => incident.severity === 'error') ? 'error' : 'warning';
  const count = BigInt(incidents.length);
  const { fingerprint, version, fieldKind, place } = grouping;
  // A page goes on behind a time in whole milliseconds, which is what a client can hold.
  const [created] = await tx.$queryRaw<{ id: string }[]>`
    insert into drift_groups
      (tenant_id, id, agent_id, fingerprint, grouping_version, kind, field_kind, place, severity, count, last_seen_at)
    values (${tenantId}::uuid, ${newId()}::uuid, ${agentId}, ${fingerprint}, ${version}, ${first.kind}, ${fieldKind},
      ${place}, ${severity}, ${count}, date_trunc('milliseconds', clock_timestamp()))
    on conflict (tenant_id, fingerprint, grouping_version) do nothing returning id`;
  if (created !== undefined) {
    const lastIncidentId = await appendIncidents(tx, origin, created.id, incidents);
    await tx.driftGroup.update({
      where: { tenantId_id: { tenantId, id: created.id } },
      data: { lastIncidentId },
      select: { id: true },
    });
    const signal = { ...origin, groupId: created.id, kind: first.kind, fieldKind, severity };
    if (severity === 'error') await writeDriftSignal(tx, tenantId, 'drift.detected', signal);
    return;
  }
  const known = await tx.driftGroup.findUniqueOrThrow({
    where: { tenantId_fingerprint_groupingVersion: { tenantId, fingerprint, groupingVersion: version } },
    select: { id: true },
  });
  const locked = await lockGroup(tx, tenantId, known.id);
  if (locked === undefined) throw new TypeError(`The group ${known.id} is gone`);
  const seen = await tx.driftIncident.findFirst({
    where: { tenantId, groupId: known.id, sessionId },
    select: { id: true },
  });
  const lastIncidentId = await appendIncidents(tx, origin, known.id, incidents);
  const total = Number(locked.row.count + count);
  const rate = await rateOf(tx, locked, total);
  const state = afterOccurrence(locked.state, { nowMs: locked.now.getTime(), count: total, rate });
  const worsened = severity === 'error' && locked.row.severity === 'warning';
  await tx.driftGroup.update({
    where: { tenantId_id: { tenantId, id: known.id } },
    data: {
      ...{ count: { increment: count }, lastSeenAt: locked.now, lastIncidentId },
      ...(seen === null ? { sessions: { increment: 1 } } : {}),
      ...(worsened ? { severity } : {}),
      ...(state === locked.state ? {} : columnsOfState(state, locked.now)),
    },
    select: { id: true },
  });
  const signal = {
    ...{ ...origin, groupId: known.id, kind: first.kind, fieldKind },
    severity: worsened ? severity : locked.row.severity,
  };
  if (worsened) await writeDriftSignal(tx, tenantId, 'drift.detected', signal);
  if (state === locked.state) return;
  const detail = { from: locked.state.name, because: 'occurrence', incident_id: lastIncidentId };
  await writeStep(tx, tenantId, known.id, { kind: state.name, actor: SYSTEM_ACTOR, detail });
  if (state.name === 'regressed') await writeDriftSignal(tx, tenantId, 'drift.regressed', signal);
  if (state.name === 'escalating') await writeDriftSignal(tx, tenantId, 'drift.escalated', signal);
}

/** Returns the id of the last one. */
async function appendIncidents(
  tx: TenantTransaction,
  { tenantId, agentId, sessionId, compactionId }: IncidentOrigin,
  groupId: string,
  incidents: readonly WindowIncident[],
): Promise<string> {
  // Ids of one millisecond are in no order: sorted, they are in that of the incidents.
  const ids = incidents.map(() => newId()).sort();
  const bytes = (text: string | null): Uint8Array<ArrayBuffer> | null =>
    text === null ? null : new Uint8Array(Buffer.from(text, 'utf8'));
  await tx.driftIncident.createMany({
    data: await Promise.all(
      incidents.map(async ({ kind, severity, expected, observed, subject, path, message }, index) => ({
        ...{ tenantId, id: ids[index] ?? newId(), agentId, sessionId, compactionId, groupId, kind, severity },
        expected: bytes(expected),
        observed: bytes(observed),
        place: await packJson({ subject, path, message }),
      })),
    ),
  });
  return ids.at(-1) ?? '';
}

/** The group's rate after `total` occurrences, by the age of the one that decides. */
async function rateOf(tx: TenantTransaction, { row, now }: LockedGroup, total: number): Promise<DriftRate> {
  const threshold = escalationThreshold(total, row.firstSeenAt.getTime(), now.getTime());
  if (threshold === undefined) return 'between';
  const step = Math.ceil(threshold / 100);
  const isNextStep = Math.floor(total / step) > Math.floor(Number(row.count) / step);
  if (threshold > CLOSE_THRESHOLD && !isNextStep) return 'between';
  const since = now.getTime() - RATE_SPAN_MS;
  const isRecent = async (nth: number): Promise<boolean> => {
    const incident = await tx.driftIncident.findFirst({
      where: { tenantId: row.tenantId, groupId: row.id },
      orderBy: { id: 'desc' },
      skip: nth - 1,
      select: { occurredAt: true },
    });
    return incident !== null && incident.occurredAt.getTime() >= since;
  };
  if (await isRecent(threshold)) return 'above';
  return (await isRecent(Math.ceil(threshold / 2))) ? 'between' : 'below';
}
