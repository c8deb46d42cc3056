import { recordAudit } from '../audit-repository';
import type { Database, TenantTransaction } from '../database';
import type { RefusalGroup } from '../generated/client';
import { jsonColumn } from '../json-column';
import { isUuid } from '../page';
import { storedText } from '../text';
import { isLive, lockGroup, storedGroup, type StoredRefusalGroup } from './stored-group';

/** What somebody says about a group; none of it changes what a pass does. */
export type TriageAct =
  | { readonly kind: 'acknowledged'; readonly comment: string | undefined }
  | { readonly kind: 'assigned'; readonly assignee: string | undefined }
  | { readonly kind: 'commented'; readonly comment: string }
  | { readonly kind: 'dismissed'; readonly reason: string };

export type TriageAnswer =
  | { readonly kind: 'done'; readonly group: StoredRefusalGroup }
  /** Resolved or dismissed: only comments are taken. */
  | { readonly kind: 'closed' }
  | { readonly kind: 'unknown' };

export interface GroupActor {
  readonly tenantId: string;
  /** Id of the API key. */
  readonly actor: string;
  /** Undefined for all agents; a group of another one is unknown. */
  readonly agentIds: readonly string[] | undefined;
}

/** Writes what was done, with its step and its row of the audit log, in one transaction. */
export async function triageGroup(
  database: Database,
  by: GroupActor,
  id: string,
  act: TriageAct,
): Promise<TriageAnswer> {
  if (!isUuid(id)) return { kind: 'unknown' };
  const { tenantId, actor } = by;
  return database.withTenant(tenantId, async (tx) => {
    const group = await lockGroup(tx, tenantId, id);
    if (group === undefined || !mayTouch(by, group)) return { kind: 'unknown' };
    if (act.kind !== 'commented' && !isLive(group.status)) return { kind: 'closed' };
    await writeAct(tx, group, act);
    const { comment, detail } = stepOf(act);
    await writeStep(tx, group, { kind: act.kind, actor, comment, detail });
    await recordAudit(tx, tenantId, { actor, action: `refusal.${act.kind}`, subject: id, detail });
    return { kind: 'done', group: await storedGroup((await lockGroup(tx, tenantId, id)) ?? group) };
  });
}

export function mayTouch({ agentIds }: GroupActor, { agentId }: Pick<RefusalGroup, 'agentId'>): boolean {
  return agentIds === undefined || agentIds.includes(agentId);
}

export interface StepDraft {
  readonly kind: string;
  readonly actor: string;
  readonly comment?: string | undefined;
  readonly detail?: Readonly<Record<string, unknown>>;
}

/** Appends to the history of a group. */
export async function writeStep(
  tx: TenantTransaction,
  { tenantId, id }: Pick<RefusalGroup, 'tenantId' | 'id'>,
  { kind, actor, comment, detail = {} }: StepDraft,
): Promise<void> {
  await tx.refusalStep.create({
    data: {
      ...{ tenantId, groupId: id, kind, actor: storedText(actor), detail: jsonColumn(detail) },
      comment: comment === undefined ? null : storedText(comment),
    },
    select: { id: true },
  });
}

async function writeAct(tx: TenantTransaction, { tenantId, id }: RefusalGroup, act: TriageAct): Promise<void> {
  switch (act.kind) {
    case 'acknowledged':
      await tx.$executeRaw`
        update refusal_groups set status = 'acknowledged', acknowledged_at = coalesce(acknowledged_at, clock_timestamp())
        where tenant_id = ${tenantId}::uuid and id = ${id}::uuid`;
      return;
    case 'assigned':
      await tx.refusalGroup.update({
        where: { tenantId_id: { tenantId, id } },
        data: { assignee: act.assignee === undefined ? null : storedText(act.assignee) },
        select: { id: true },
      });
      return;
    case 'commented':
      return;
    case 'dismissed':
      await tx.$executeRaw`
        update refusal_groups set status = 'dismissed', resolved_at = clock_timestamp(), resolution = 'dismiss'
        where tenant_id = ${tenantId}::uuid and id = ${id}::uuid`;
      await tx.$executeRaw`
        update refusals set status = 'dismissed', resolved_at = clock_timestamp()
        where tenant_id = ${tenantId}::uuid and group_id = ${id}::uuid and status = 'open'`;
  }
}

function stepOf(act: TriageAct): Pick<StepDraft, 'comment'> & { readonly detail: Readonly<Record<string, unknown>> } {
  switch (act.kind) {
    case 'assigned':
      return { comment: undefined, detail: { assignee: act.assignee ?? null } };
    case 'dismissed':
      return { comment: act.reason, detail: {} };
    default:
      return { comment: act.comment, detail: {} };
  }
}
