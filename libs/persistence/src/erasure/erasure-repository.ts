import { recordAudit } from '../audit-repository';
import { eraseDataKeys } from '../content-keys/data-keys';
import type { Database, TenantTransaction } from '../database';
import type { Erasure, Prisma } from '../generated/client';
import { jsonColumn } from '../json-column';
import { EMPTY_PAGE, isUuid, type Page, pageOf, type PageRequest } from '../page';
import { originalText, storedText } from '../text';
import { newId } from '../uuid';
import { eraseSessions, type ErasedSessions } from './erase-sessions';
import { type ErasedOriginals, eraseUnneeded } from './unneeded-originals';

export type ErasureScope = 'session' | 'agent' | 'subject' | 'tenant';

export interface ErasureRequest {
  readonly scope: ErasureScope;
  /** Id of the session, name of the agent, subject, name of the tenant. */
  readonly target: string;
  readonly actor: string;
}

export type ErasureReport = ErasedSessions & ErasedOriginals & { readonly dataKeys: number };

export interface StoredErasure extends ErasureRequest {
  readonly id: string;
  readonly report: ErasureReport;
  readonly at: string;
}

/** Removes what was stored about somebody, and keeps what proves that it was there. */
export interface ErasureRepository {
  /** The agent of a session, for whoever asks whether it may be erased. */
  findSessionAgent(tenantId: string, sessionId: string): Promise<string | undefined>;
  /**
   * Undefined when there is no such session, agent or tenant; a subject without sessions is an erasure of nothing. Safe to
   * repeat: one that broke off goes on where it was.
   */
  erase(tenantId: string, request: ErasureRequest): Promise<StoredErasure | undefined>;
  /** Newest first. */
  list(tenantId: string, page: PageRequest): Promise<Page<StoredErasure>>;
}

export function createErasureRepository(database: Database): ErasureRepository {
  return {
    findSessionAgent: (tenantId, sessionId) =>
      database.withTenant(tenantId, async (tx) => {
        if (!isUuid(sessionId)) return undefined;
        const row = await tx.session.findUnique({ where: { tenantId_id: { tenantId, id: sessionId } } });
        return row?.agentId;
      }),

    async erase(tenantId, request) {
      const sessionIds = await database.withTenant(tenantId, (tx) => sessionsOf(tx, tenantId, request));
      if (sessionIds === undefined) return undefined;
      const sessions = await eraseSessions(database, tenantId, sessionIds);
      const dataKeys =
        request.scope === 'tenant' ? await database.withTenant(tenantId, (tx) => eraseDataKeys(tx, tenantId)) : 0;
      const originals = await eraseUnneeded(database, tenantId, undefined);
      const report: ErasureReport = { ...sessions, ...originals, dataKeys };
      return database.withTenant(tenantId, async (tx) => {
        const { scope, target, actor } = request;
        const row = await tx.erasure.create({
          data: {
            ...{ tenantId, id: newId(), scope, actor: storedText(actor), report: jsonColumn(report) },
            // A subject is what was to be forgotten.
            target: scope === 'subject' ? '' : storedText(target),
          },
        });
        await recordAudit(tx, tenantId, { actor, action: 'data.erase', subject: row.id, detail: { scope, ...report } });
        return storedErasure(row);
      });
    },

    list: (tenantId, { limit, after }) =>
      database.withTenant(
        tenantId,
        async (tx) => {
          if (after !== undefined && !isUuid(after)) return EMPTY_PAGE;
          const rows = await tx.erasure.findMany({
            where: { tenantId, ...(after === undefined ? {} : { id: { lt: after } }) },
            orderBy: { id: 'desc' },
            take: limit + 1,
          });
          return pageOf(rows, limit, storedErasure, (row) => row.id);
        },
        { idempotent: true },
      ),
  };
}

async function sessionsOf(
  tx: TenantTransaction,
  tenantId: string,
  { scope, target }: ErasureRequest,
): Promise<readonly string[] | undefined> {
  const all = async (where: Prisma.SessionWhereInput): Promise<readonly string[]> => {
    const rows = await tx.session.findMany({
      where: { tenantId, ...where },
      select: { id: true },
      orderBy: { id: 'asc' },
    });
    return rows.map(({ id }) => id);
  };
  const found = storedText(target);
  switch (scope) {
    case 'session': {
      const ids = isUuid(target) ? await all({ id: target }) : [];
      return ids.length === 0 ? undefined : ids;
    }
    case 'agent':
      return (await tx.agent.count({ where: { tenantId, id: found } })) === 0 ? undefined : all({ agentId: found });
    case 'subject':
      return all({ subject: found });
    case 'tenant':
      return (await tx.tenant.count({ where: { id: tenantId, name: found } })) === 0 ? undefined : all({});
  }
}

function storedErasure(row: Erasure): StoredErasure {
  return {
    id: row.id,
    scope: row.scope as ErasureScope,
    target: originalText(row.target),
    actor: originalText(row.actor),
    // Written above and by nobody else.
    report: row.report as unknown as ErasureReport,
    at: row.at.toISOString(),
  };
}
