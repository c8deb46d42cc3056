import { afterTime, type DriftGroupState } from '@holdfast/core';
import type { TenantTransaction } from '../database';
import type { DriftGroup } from '../generated/client';
import { jsonColumn } from '../json-column';
import { storedText } from '../text';
import { columnsOfState, groupStateOf } from './group-state-columns';

/** Who a step is written down to when nobody took it. */
export const SYSTEM_ACTOR = 'system';

/** A group that nobody else changes until the transaction ends. */
export interface LockedGroup {
  readonly row: DriftGroup;
  readonly state: DriftGroupState;
  readonly now: Date;
}

/** A step in a group's history. `kind` of a change of state is the state that it led to. */
export interface GroupStep {
  readonly kind: string;
  readonly actor: string;
  readonly comment?: string | undefined;
  /** Codes, names and ids; no content. */
  readonly detail?: Readonly<Record<string, unknown>>;
}

/** Locks a group and lets the time pass that has passed. Undefined where the tenant has no such group. */
export async function lockGroup(tx: TenantTransaction, tenantId: string, id: string): Promise<LockedGroup | undefined> {
  const [locked] = await tx.$queryRaw<{ now: Date }[]>`
    select clock_timestamp() as now from drift_groups
    where tenant_id = ${tenantId}::uuid and id = ${id}::uuid for no key update`;
  if (locked === undefined) return undefined;
  const { now } = locked;
  const row = await tx.driftGroup.findUniqueOrThrow({ where: { tenantId_id: { tenantId, id } } });
  const step = await tx.driftStep.findFirst({
    where: { tenantId, groupId: id, kind: row.state },
    orderBy: { id: 'desc' },
    select: { at: true },
  });
  const state = groupStateOf(row, step?.at);
  const aged = afterTime(state, { nowMs: now.getTime(), lastSeenMs: row.lastSeenAt.getTime() });
  if (aged === state) return { row, state, now };
  await changeState(tx, row, aged, now, { kind: aged.name, actor: SYSTEM_ACTOR, detail: { because: 'time' } });
  return { row: { ...row, ...columnsOfState(aged, now) }, state: aged, now };
}

/** Puts a locked group into a state, and writes the step down. */
export async function changeState(
  tx: TenantTransaction,
  { tenantId, id, state: from }: Pick<DriftGroup, 'tenantId' | 'id' | 'state'>,
  state: DriftGroupState,
  now: Date,
  step: GroupStep,
): Promise<void> {
  await tx.driftGroup.update({
    where: { tenantId_id: { tenantId, id } },
    data: columnsOfState(state, now),
    select: { id: true },
  });
  await writeStep(tx, tenantId, id, { ...step, detail: { from, ...step.detail } });
}

export async function writeStep(
  tx: TenantTransaction,
  tenantId: string,
  groupId: string,
  { kind, actor, comment, detail }: GroupStep,
): Promise<void> {
  await tx.driftStep.create({
    data: {
      ...{ tenantId, groupId, kind, actor: storedText(actor), detail: jsonColumn(detail ?? {}) },
      comment: comment === undefined ? null : storedText(comment),
    },
    select: { id: true },
  });
}
