import type { FormatName, Mode, Notice, OutcomeName } from '@holdfast/core';
import type { TenantTransaction } from '../database';
import { bytesToHex } from '../digest-bytes';
import type { Prisma } from '../generated/client';
import { unpackJson } from '../packed-json';
import { isUuid } from '../page';
import { originalText } from '../text';

/** A compaction as a reader sees it; sizes in tokens, times in ISO 8601 from the database's clock. */
export interface StoredCompaction {
  readonly id: string;
  readonly agentId: string;
  readonly sessionId: string;
  /** The caller's own id of the session. */
  readonly session: string;
  readonly seq: number;
  readonly status: 'accepted' | 'dispatched' | 'running' | 'finished';
  readonly phase: 'accepted' | 'secured' | 'finished';
  readonly outcome: OutcomeName | undefined;
  /** Why it is `unchanged` or `superseded`, in a code. */
  readonly reason: string | undefined;
  readonly errorCode: string | undefined;
  readonly mode: Mode;
  readonly format: FormatName;
  readonly counter: string;
  readonly model: string | undefined;
  readonly budgetTokens: number;
  readonly aimTokens: number | undefined;
  readonly reclaimTargetTokens: number | undefined;
  readonly targetMet: boolean | undefined;
  readonly policyVersion: number;
  readonly baseVersion: number | undefined;
  /** The refused compaction that this pass retries. */
  readonly retryOf: string | undefined;
  readonly tokensBefore: number | undefined;
  readonly tokensAfter: number | undefined;
  readonly tokensPinned: number | undefined;
  readonly inputWindowId: string;
  readonly outputWindowId: string | undefined;
  readonly bestProvenWindowId: string | undefined;
  /** Version of the window that it handed out. */
  readonly version: number | undefined;
  readonly replacedPrefix: { readonly messages: number; readonly sha256: string } | undefined;
  readonly notices: readonly Notice[];
  /** Milliseconds per phase; what did not run is absent. */
  readonly phaseMs: Readonly<
    Partial<Record<'classify' | 'plan' | 'secure' | 'summarize' | 'verify' | 'commit', number>>
  >;
  /** Number of the newest dispatch; 1 is that of accepting it. */
  readonly dispatchNo: number;
  /** Attempts that broke off. */
  readonly attempt: number;
  readonly acceptedAt: string;
  readonly securedAt: string | undefined;
  readonly finishedAt: string | undefined;
  readonly adoptedAt: string | undefined;
}

const WITH_NAMES = {
  session: { select: { externalId: true } },
  outputWindow: { select: { version: true } },
} satisfies Prisma.CompactionInclude;

type Row = Prisma.CompactionGetPayload<{ include: typeof WITH_NAMES }>;

export async function findCompaction(
  tx: TenantTransaction,
  tenantId: string,
  id: string,
): Promise<StoredCompaction | undefined> {
  if (!isUuid(id)) return undefined;
  const row = await tx.compaction.findUnique({ where: { tenantId_id: { tenantId, id } }, include: WITH_NAMES });
  return row === null ? undefined : storedCompaction(row);
}

const number = (value: bigint | null | undefined): number | undefined =>
  value === null || value === undefined ? undefined : Number(value);

async function storedCompaction(row: Row): Promise<StoredCompaction> {
  const phases = {
    classify: row.classifyMs,
    plan: row.planMs,
    secure: row.secureMs,
    summarize: row.summarizeMs,
    verify: row.verifyMs,
    commit: row.commitMs,
  };
  return {
    id: row.id,
    agentId: row.agentId,
    sessionId: row.sessionId,
    session: originalText(row.session.externalId),
    seq: Number(row.seq),
    // The columns' CHECKs and these tables are the same.
    status: row.status as StoredCompaction['status'],
    phase: row.phase as StoredCompaction['phase'],
    outcome: (row.outcome ?? undefined) as OutcomeName | undefined,
    reason: row.reason ?? undefined,
    errorCode: row.errorCode ?? undefined,
    mode: row.mode as Mode,
    format: row.format as FormatName,
    counter: row.counter,
    model: row.model === null ? undefined : originalText(row.model),
    budgetTokens: Number(row.budgetTokens),
    aimTokens: number(row.aimTokens),
    reclaimTargetTokens: number(row.targetTokens),
    targetMet: row.targetMet ?? undefined,
    policyVersion: row.policyVersion,
    baseVersion: number(row.baseVersion),
    retryOf: row.retryOf ?? undefined,
    tokensBefore: number(row.tokensBefore),
    tokensAfter: number(row.tokensAfter),
    tokensPinned: number(row.tokensPinned),
    inputWindowId: row.inputWindowId,
    outputWindowId: row.outputWindowId ?? undefined,
    bestProvenWindowId: row.bestProvenWindowId ?? undefined,
    version: number(row.outputWindow?.version),
    replacedPrefix:
      row.replacedCount === null || row.replacedHash === null
        ? undefined
        : { messages: row.replacedCount, sha256: bytesToHex(row.replacedHash) },
    // Written by finishPass and by nobody else.
    notices: row.notices === null ? [] : ((await unpackJson(row.notices)) as readonly Notice[]),
    phaseMs: Object.fromEntries(Object.entries(phases).filter(([, ms]) => ms !== null)),
    dispatchNo: row.dispatchNo,
    attempt: row.attempt,
    acceptedAt: row.acceptedAt.toISOString(),
    securedAt: row.securedAt?.toISOString(),
    finishedAt: row.finishedAt?.toISOString(),
    adoptedAt: row.adoptedAt?.toISOString(),
  };
}
