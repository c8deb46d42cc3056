import { type EffectStatus, isClosedStatus, type ToolContracts } from '@holdfast/core';
import { fromPolicyColumn, policyColumn } from '../agents/policy-column';
import { adoptInTransaction } from '../compactions/adopt';
import type { TenantTransaction } from '../database';
import type { Effect, RefusalGroup } from '../generated/client';
import { fromJsonColumn, jsonColumn } from '../json-column';
import { appendAttempt } from '../gate/effect-rows';
import { packJson } from '../packed-json';
import { unpackManifest } from '../packed-manifest';
import { canonicalJson } from '../passes/canonical-json';
import { PersistenceError } from '../persistence-error';
import { storedText } from '../text';
import { writeMark } from './element-marks';
import { flagsOf, isMark, type MarkResolution, type Resolution } from './resolution';

/** Why a change cannot be made; nothing was written. */
export type ChangeProblem = {
  readonly kind:
    'session_unknown' | 'compaction_unknown' | 'element_unknown' | 'record_unknown' | 'nothing_to_adopt' | 'superseded';
};

/** Writes the change itself. `sessionId` is that of the session that it is about. */
export async function applyResolution(
  tx: TenantTransaction,
  group: RefusalGroup,
  resolution: Resolution,
  sessionId: string | undefined,
  actor: string,
): Promise<ChangeProblem | undefined> {
  const { tenantId, agentId } = group;
  if (isMark(resolution)) return mark(tx, group, resolution, sessionId ?? '', actor);
  switch (resolution.kind) {
    case 'declare_tool':
      return declareTool(tx, group, resolution.tool, resolution.contract);
    case 'enable_recall':
      await tx.agent.update({ where: { tenantId_id: { tenantId, id: agentId } }, data: { recall: 'tool' } });
      return undefined;
    case 'raise_budget':
      return raiseBudget(tx, group, resolution, sessionId);
    case 'release_record':
      return releaseRecord(tx, tenantId, sessionId ?? '', resolution.ref);
    case 'adopt_best_proven': {
      const answer = await adoptInTransaction(tx, tenantId, resolution.compactionId);
      if (answer.kind === 'adopted') return undefined;
      return { kind: answer.kind === 'unknown' ? 'compaction_unknown' : answer.kind };
    }
    case 'lower_target':
    case 'retry':
      return undefined;
  }
}

/** A new version of the agent's policy, with this contract in place of what the tool had. */
async function declareTool(
  tx: TenantTransaction,
  { tenantId, agentId }: RefusalGroup,
  tool: string,
  contract: ToolContracts[string],
): Promise<undefined> {
  await tx.$queryRaw`
    select 1 as locked from agents where tenant_id = ${tenantId}::uuid and id = ${agentId} for no key update`;
  const where = { tenantId_id: { tenantId, id: agentId } };
  const { policyVersion } = await tx.agent.findUniqueOrThrow({ where });
  const current = await tx.agentPolicy.findUniqueOrThrow({
    where: { tenantId_agentId_version: { tenantId, agentId, version: policyVersion } },
  });
  const known = fromJsonColumn(current.toolContracts) as ToolContracts;
  // Said twice it is one change.
  if (Object.hasOwn(known, tool) && canonicalJson(known[tool]) === canonicalJson(contract)) return undefined;
  const contracts = { ...known, [tool]: contract };
  const { policy, packs } = fromPolicyColumn(current.policy);
  await tx.agentPolicy.create({
    data: {
      ...{ tenantId, agentId, version: policyVersion + 1 },
      ...{ policy: jsonColumn(policyColumn(policy, packs)), toolContracts: jsonColumn(contracts) },
    },
  });
  await tx.agent.update({ where, data: { policyVersion: policyVersion + 1 } });
  return undefined;
}

async function raiseBudget(
  tx: TenantTransaction,
  { tenantId, agentId }: RefusalGroup,
  { scope, budgetTokens }: Extract<Resolution, { kind: 'raise_budget' }>,
  sessionId: string | undefined,
): Promise<undefined> {
  // Of a pass it is a term of the retry.
  if (scope === 'agent') {
    await tx.$executeRaw`
      update agents set budget_tokens = greatest(budget_tokens, ${budgetTokens}::bigint)
      where tenant_id = ${tenantId}::uuid and id = ${agentId}`;
  } else if (scope === 'session' && sessionId !== undefined) {
    await tx.$executeRaw`
      update sessions set budget_tokens = greatest(budget_tokens, ${budgetTokens}::bigint)
      where tenant_id = ${tenantId}::uuid and id = ${sessionId}::uuid`;
  }
  return undefined;
}

async function releaseRecord(
  tx: TenantTransaction,
  tenantId: string,
  sessionId: string,
  ref: string,
): Promise<ChangeProblem | undefined> {
  const no = BigInt(ref.slice(1));
  const record = await tx.record.findFirst({ where: { tenantId, sessionId, no }, select: { id: true } });
  if (record === null) return { kind: 'record_unknown' };
  await tx.$executeRaw`
    update records set released_at = clock_timestamp()
    where tenant_id = ${tenantId}::uuid and id = ${record.id}::uuid and released_at is null`;
  return undefined;
}

async function mark(
  tx: TenantTransaction,
  { tenantId, id: groupId }: RefusalGroup,
  resolution: MarkResolution,
  sessionId: string,
  actor: string,
): Promise<ChangeProblem | undefined> {
  const { elementId, reason } = resolution;
  if (!(await knowsElement(tx, tenantId, sessionId, elementId))) return { kind: 'element_unknown' };
  const source = resolution.kind === 'mark_element' ? resolution.source : undefined;
  const said = { elementId, flags: flagsOf(resolution), reason, actor, ...(source === undefined ? {} : { source }) };
  await writeMark(tx, tenantId, sessionId, groupId, said);
  if (resolution.kind !== 'attach_effect') return undefined;
  const stored = storedText(elementId);
  const effect = await tx.effect.findFirst({
    where: { tenantId, sessionId, attemptId: null, OR: [{ occurrence: stored }, { observedAs: stored }] },
  });
  if (effect !== null) await correctEffect(tx, effect, resolution, actor);
  return undefined;
}

/** What securing has seen: an element of another window is a slip. */
async function knowsElement(
  tx: TenantTransaction,
  tenantId: string,
  sessionId: string,
  elementId: string,
): Promise<boolean> {
  const session = await tx.session.findUnique({
    where: { tenantId_id: { tenantId, id: sessionId } },
    select: { history: true, acceptedWindow: { select: { manifest: true } } },
  });
  if (session === null) throw new PersistenceError('STORE_CONFLICT', `This tenant has no session ${sessionId}`);
  for (const packed of [session.acceptedWindow?.manifest, session.history]) {
    const manifest = await unpackManifest(packed);
    if (manifest?.entries.some(({ id }) => id === elementId) === true) return true;
  }
  return false;
}

/** The owner's word on an effect that a window showed: what it was never changes, and a closed status stays. */
async function correctEffect(
  tx: TenantTransaction,
  effect: Effect,
  { target, idempotencyKey, status, reason }: Extract<Resolution, { kind: 'attach_effect' }>,
  actor: string,
): Promise<void> {
  const { tenantId, id, agentId } = effect;
  const evidence = `marked by ${actor}: ${reason}`;
  const isClosed = isClosedStatus(effect.status as EffectStatus);
  await tx.effect.update({
    where: { tenantId_id: { tenantId, id } },
    data: {
      target: storedText(target),
      ...(idempotencyKey === undefined ? {} : { idempotencyKey: storedText(idempotencyKey), keySource: 'declared' }),
      ...(isClosed ? {} : { status, statusRaw: status, evidence: await packJson(evidence) }),
    },
    select: { id: true },
  });
  await appendAttempt(tx, tenantId, {
    ...{ effectId: id, agentId, source: 'reconciled', status, statusRaw: status, evidence, reason },
    observation: `marked ${actor} ${status} ${reason}`,
  });
}
