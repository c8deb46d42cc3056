import type { AgentPolicy, ElementMark, FormatName, Mode, RecallSetting, ToolContracts } from '@holdfast/core';
import type { Database, TenantTransaction } from '../database';
import { fromPolicyColumn } from '../agents/policy-column';
import { fromJsonColumn } from '../json-column';
import { readMarks } from '../refusals/element-marks';
import { loadSealKey } from '../tenants/tenant-repository';
import type { Fence } from './fence';

export interface ClaimRequest {
  /** Who holds the session; shown to operators. */
  readonly owner: string;
  readonly leaseMs: number;
  /** Attempts that may break off before the pass is given up. */
  readonly maxAttempts: number;
}

/** A pass in the hands of one worker. */
export interface ClaimedPass {
  readonly kind: 'claimed';
  readonly fence: Fence;
  readonly phase: 'accepted' | 'secured';
  readonly agentId: string;
  readonly seq: bigint;
  /** Attempts that broke off so far. */
  readonly attempt: number;
  /** Milliseconds since it was accepted, by the database's clock. */
  readonly ageMs: number;
  /** Version of the session's window at the claim; finishing demands the same. */
  readonly version: bigint;
  readonly baseVersion: bigint | undefined;
  readonly inputWindowId: string;
  readonly format: FormatName;
  readonly mode: Mode;
  readonly recall: RecallSetting;
  readonly contracts: ToolContracts;
  readonly policy: AgentPolicy;
  /** The largest of what was asked for, the session's and the agent's. */
  readonly budgetTokens: number;
  readonly aimTokens: number | undefined;
  readonly reclaimTargetTokens: number | undefined;
  readonly model: string | undefined;
  /** What owners said of elements of the session. */
  readonly marks: readonly ElementMark[];
  readonly sealKey: Uint8Array;
  /** Where in a trace the window was accepted (W3C). */
  readonly traceparent: string | undefined;
}

export type ClaimAnswer =
  | ClaimedPass
  /** An attempt too many broke off: claimed, for nothing but to be finished as failed. */
  | { readonly kind: 'exhausted'; readonly fence: Fence; readonly agentId: string; readonly attempt: number }
  /** An earlier pass of the session has no outcome yet; that one's end makes this one due. */
  | { readonly kind: 'not_its_turn' }
  | { readonly kind: 'leased'; readonly untilMs: number }
  | { readonly kind: 'finished' }
  | { readonly kind: 'unknown' };

interface SessionRow {
  readonly version: bigint;
  readonly finishedSeq: bigint;
  readonly leaseOwner: string | null;
  readonly leftMs: number | null;
}

interface PassRow {
  readonly seq: bigint;
  readonly status: string;
}

/** Finds the tenant and the session of a compaction, whose id is all that a job carries. */
async function findOwner(database: Database, id: string): Promise<{ tenantId: string; sessionId: string } | undefined> {
  return database.asSystem(
    async (tx) => {
      const [row] = await tx.$queryRaw<{ tenantId: string; sessionId: string }[]>`
        select tenant_id::text as "tenantId", session_id::text as "sessionId" from compactions where id = ${id}::uuid`;
      return row;
    },
    { idempotent: true },
  );
}

/** Takes the session's lease for its next pass, and raises the fence. Leases end by the database's clock. */
export async function claimPass(database: Database, id: string, request: ClaimRequest): Promise<ClaimAnswer> {
  const found = await findOwner(database, id);
  if (found === undefined) return { kind: 'unknown' };
  const { tenantId, sessionId } = found;
  return database.withTenant(tenantId, async (tx) => {
    const [session] = await tx.$queryRaw<SessionRow[]>`
      select version, finished_seq as "finishedSeq", lease_owner as "leaseOwner",
        (extract(epoch from lease_until - clock_timestamp()) * 1000)::float8 as "leftMs"
      from sessions where tenant_id = ${tenantId}::uuid and id = ${sessionId}::uuid for no key update`;
    const [pass] = await tx.$queryRaw<PassRow[]>`
      select seq, status from compactions where tenant_id = ${tenantId}::uuid and id = ${id}::uuid for no key update`;
    if (session === undefined || pass === undefined) return { kind: 'unknown' };
    if (pass.status === 'finished') return { kind: 'finished' };
    if (pass.seq !== session.finishedSeq + 1n) return { kind: 'not_its_turn' };
    if (session.leaseOwner !== null && (session.leftMs ?? 0) > 0) {
      return { kind: 'leased', untilMs: session.leftMs ?? 0 };
    }
    // Whoever held it neither finished nor gave it back: that attempt broke off.
    const brokenOff = session.leaseOwner !== null && pass.status === 'running' ? 1 : 0;
    const epoch = await takeLease(tx, tenantId, sessionId, request);
    const attempt = await takePass(tx, tenantId, id, epoch, brokenOff, request.leaseMs);
    const fence: Fence = { tenantId, sessionId, compactionId: id, epoch };
    if (attempt >= request.maxAttempts) {
      const { agentId } = await loadFacts(tx, fence);
      return { kind: 'exhausted', fence, agentId, attempt };
    }
    await tx.event.create({
      data: { tenantId, compactionId: id, sessionId, type: 'claimed', detail: { epoch: Number(epoch), attempt } },
      select: { id: true },
    });
    return { kind: 'claimed', fence, attempt, version: session.version, ...(await loadFacts(tx, fence)) };
  });
}

async function takeLease(
  tx: TenantTransaction,
  tenantId: string,
  sessionId: string,
  { owner, leaseMs }: ClaimRequest,
): Promise<bigint> {
  const [row] = await tx.$queryRaw<{ epoch: bigint }[]>`
    update sessions set lease_epoch = lease_epoch + 1, lease_owner = ${owner},
      lease_until = clock_timestamp() + ${leaseMs}::float8 * interval '1 ms'
    where tenant_id = ${tenantId}::uuid and id = ${sessionId}::uuid returning lease_epoch as epoch`;
  return row?.epoch ?? 0n;
}

async function takePass(
  tx: TenantTransaction,
  tenantId: string,
  id: string,
  epoch: bigint,
  brokenOff: number,
  leaseMs: number,
): Promise<number> {
  const [row] = await tx.$queryRaw<{ attempt: number }[]>`
    update compactions set status = 'running', fence_epoch = ${epoch}, attempt = attempt + ${brokenOff}::int,
      started_at = coalesce(started_at, clock_timestamp()),
      next_dispatch_at = clock_timestamp() + ${leaseMs}::float8 * interval '1 ms'
    where tenant_id = ${tenantId}::uuid and id = ${id}::uuid returning attempt`;
  // A claim proves that a job arrived: what is still to be sent for this pass need not be.
  await tx.$executeRaw`
    update outbox set sent_at = clock_timestamp()
    where tenant_id = ${tenantId}::uuid and aggregate_id = ${id}::uuid and sent_at is null`;
  return row?.attempt ?? 0;
}

type Facts = Omit<ClaimedPass, 'kind' | 'fence' | 'attempt' | 'version'>;

async function loadFacts(tx: TenantTransaction, { tenantId, compactionId, sessionId }: Fence): Promise<Facts> {
  const pass = await tx.compaction.findUniqueOrThrow({ where: { tenantId_id: { tenantId, id: compactionId } } });
  const { agentId, budgetTokens } = await tx.session.findUniqueOrThrow({
    where: { tenantId_id: { tenantId, id: sessionId } },
    select: { agentId: true, budgetTokens: true },
  });
  const [agent, policy, sealKey, marks, age] = [
    await tx.agent.findUniqueOrThrow({
      where: { tenantId_id: { tenantId, id: agentId } },
      select: { recall: true, budgetTokens: true },
    }),
    await tx.agentPolicy.findUniqueOrThrow({
      where: { tenantId_agentId_version: { tenantId, agentId, version: pass.policyVersion } },
    }),
    await loadSealKey(tx, tenantId),
    await readMarks(tx, tenantId, sessionId),
    await tx.$queryRaw<{ ms: number }[]>`
      select (extract(epoch from clock_timestamp() - ${pass.acceptedAt}::timestamptz) * 1000)::float8 as ms`,
  ];
  return {
    agentId,
    seq: pass.seq,
    ageMs: age[0]?.ms ?? 0,
    // The columns' CHECKs and the core's tables are the same; policies were checked when they were put.
    phase: pass.phase as ClaimedPass['phase'],
    format: pass.format as FormatName,
    mode: pass.mode as Mode,
    recall: agent.recall as RecallSetting,
    contracts: fromJsonColumn(policy.toolContracts) as ToolContracts,
    policy: fromPolicyColumn(policy.policy).policy,
    baseVersion: pass.baseVersion ?? undefined,
    inputWindowId: pass.inputWindowId,
    budgetTokens: largestBudget(pass.budgetTokens, budgetTokens, agent.budgetTokens),
    aimTokens: pass.aimTokens === null ? undefined : Number(pass.aimTokens),
    reclaimTargetTokens: pass.targetTokens === null ? undefined : Number(pass.targetTokens),
    model: pass.model ?? undefined,
    traceparent: pass.traceparent ?? undefined,
    marks,
    sealKey,
  };
}

/** Budgets are raised for a session or an agent, never lowered. */
export function largestBudget(asked: bigint, ...raised: readonly (bigint | null)[]): number {
  return Math.max(Number(asked), ...raised.map((budget) => Number(budget ?? 0)));
}
