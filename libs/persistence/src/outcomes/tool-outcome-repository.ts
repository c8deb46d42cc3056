import type { Database, TenantTransaction } from '../database';
import { storedText } from '../text';
import { derivedId, newId } from '../uuid';

/** How a call of a tool ended, by its agent's word. */
export interface NewToolOutcome {
  readonly agentId: string;
  /** The caller's own id of the session. */
  readonly session: string;
  readonly tool: string;
  readonly outcome: 'rejected' | 'failed' | 'succeeded';
  readonly code: string | undefined;
  readonly callId: string | undefined;
  /** Undefined, or in the future: now. */
  readonly at: Date | undefined;
}

export interface RecordedToolOutcome {
  readonly id: string;
  /** It had been recorded before. */
  readonly repeated: boolean;
  /** The last pass of the session that had handed out a window before it. */
  readonly compactionId: string | undefined;
  /** Calls of the session since that pass, this one counted. */
  readonly sincePass: number | undefined;
}

export interface ToolOutcomeRepository {
  /**
   * Appends outcomes, all or none, in their order. The same outcome of the same call is recorded once. Names the first
   * agent that does not exist, and then records nothing.
   */
  record(
    tenantId: string,
    outcomes: readonly NewToolOutcome[],
  ): Promise<
    | { readonly kind: 'recorded'; readonly items: readonly RecordedToolOutcome[] }
    | { readonly kind: 'agent_unknown'; readonly agentId: string }
  >;
}

/** Passes of a session that outcomes can be linked to; those of older ones are linked to none. */
const MOST_PASSES = 500;

export function createToolOutcomeRepository(database: Database): ToolOutcomeRepository {
  return {
    record: (tenantId, outcomes) =>
      database.withTenant(
        tenantId,
        async (tx) => {
          const agentIds = [...new Set(outcomes.map(({ agentId }) => agentId))];
          const known = await tx.agent.findMany({
            where: { tenantId, id: { in: agentIds } },
            select: { id: true },
          });
          const unknown = agentIds.find((id) => known.every((agent) => agent.id !== id));
          if (unknown !== undefined) return { kind: 'agent_unknown' as const, agentId: unknown };
          const [clock] = await tx.$queryRaw<{ now: Date }[]>`select clock_timestamp() as now`;
          const now = clock?.now ?? new Date();
          const sessions = new Map<string, number[]>();
          outcomes.forEach(({ agentId, session }, index) => {
            const key = JSON.stringify([agentId, session]);
            sessions.set(key, [...(sessions.get(key) ?? []), index]);
          });
          const items = new Array<RecordedToolOutcome>(outcomes.length);
          // In one order everywhere, so that two batches never wait for each other.
          for (const key of [...sessions.keys()].sort()) {
            const indexes = sessions.get(key) ?? [];
            const own = indexes.flatMap((index) => outcomes[index] ?? []);
            const recorded = await recordOfSession(tx, tenantId, own, now);
            indexes.forEach((index, place) => {
              const item = recorded[place];
              if (item !== undefined) items[index] = item;
            });
          }
          return { kind: 'recorded' as const, items };
        },
        { idempotent: outcomes.every(({ callId }) => callId !== undefined) },
      ),
  };
}

/** Outcomes of one session, in their order. */
async function recordOfSession(
  tx: TenantTransaction,
  tenantId: string,
  outcomes: readonly NewToolOutcome[],
  now: Date,
): Promise<readonly RecordedToolOutcome[]> {
  const [first] = outcomes;
  if (first === undefined) return [];
  const { agentId, session } = first;
  // Calls of a session are counted one after the other.
  const lock = JSON.stringify(['tool outcomes', tenantId, agentId, session]);
  await tx.$queryRaw`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))::text as locked`;
  const row = await tx.session.findUnique({
    where: { tenantId_agentId_externalId: { tenantId, agentId, externalId: storedText(session) } },
    select: { id: true },
  });
  const ids = outcomes.map(({ callId, outcome }) =>
    callId === undefined ? newId() : derivedId('tool outcome', tenantId, agentId, session, callId, outcome),
  );
  const before = await tx.toolOutcome.findMany({
    where: { tenantId, id: { in: ids } },
    select: { id: true, compactionId: true, sincePass: true },
  });
  const done = new Map<string, RecordedToolOutcome>(
    before.map(({ id, compactionId, sincePass }) => [id, { ...linked(compactionId, sincePass), id, repeated: true }]),
  );
  const counts = await createCallCounts(tx, tenantId, row?.id);
  const rows = [];
  const items: RecordedToolOutcome[] = [];
  for (const [index, given] of outcomes.entries()) {
    const id = ids[index] ?? newId();
    const earlier = done.get(id);
    if (earlier !== undefined) {
      items.push({ ...earlier, repeated: true });
      continue;
    }
    const at = given.at === undefined || given.at > now ? now : given.at;
    const { compactionId, sincePass } = await counts.next(at, given.callId);
    const item = { ...linked(compactionId, sincePass), id, repeated: false };
    done.set(id, item);
    items.push(item);
    const { tool, outcome, code, callId } = given;
    rows.push({
      ...{ tenantId, id, agentId, sessionId: row?.id ?? null, compactionId, sincePass, tool, outcome, at },
      ...{ code: code ?? null, callId: callId ?? null },
    });
  }
  if (rows.length > 0) await tx.toolOutcome.createMany({ data: rows });
  return items;
}

function linked(compactionId: string | null, sincePass: number | null) {
  return { compactionId: compactionId ?? undefined, sincePass: sincePass ?? undefined };
}

interface CallCounts {
  /** The pass before a call and its number since; two outcomes of one call that follow each other count once. */
  next(
    at: Date,
    callId: string | undefined,
  ): Promise<{ readonly compactionId: string | null; readonly sincePass: number | null }>;
}

async function createCallCounts(
  tx: TenantTransaction,
  tenantId: string,
  sessionId: string | undefined,
): Promise<CallCounts> {
  const passes =
    sessionId === undefined
      ? []
      : await tx.compaction.findMany({
          where: { tenantId, sessionId, outcome: 'compacted' },
          orderBy: { seq: 'desc' },
          take: MOST_PASSES,
          select: { id: true, finishedAt: true },
        });
  const last = new Map<string, { since: number; callId: string | undefined }>();
  return {
    async next(at, callId) {
      const pass = passes.find(({ finishedAt }) => finishedAt !== null && finishedAt <= at);
      if (pass === undefined || sessionId === undefined) return { compactionId: null, sincePass: null };
      const known = last.get(pass.id) ?? (await newestOf(tx, tenantId, sessionId, pass.id));
      const since = callId !== undefined && known.callId === callId ? known.since : known.since + 1;
      last.set(pass.id, { since, callId });
      return { compactionId: pass.id, sincePass: since };
    },
  };
}

async function newestOf(
  tx: TenantTransaction,
  tenantId: string,
  sessionId: string,
  compactionId: string,
): Promise<{ since: number; callId: string | undefined }> {
  const newest = await tx.toolOutcome.findFirst({
    where: { tenantId, sessionId, compactionId },
    orderBy: [{ sincePass: 'desc' }, { at: 'desc' }],
    select: { sincePass: true, callId: true },
  });
  return { since: newest?.sincePass ?? 0, callId: newest?.callId ?? undefined };
}
