import type { ElementMark, SessionState } from '@holdfast/core';
import { findCompaction, type StoredCompaction } from '../compactions/stored-compaction';
import type { Database } from '../database';
import { demandKept, loadOriginal } from '../originals';
import { EMPTY_PAGE, isUuid, numberPosition, type Page, pageOf, type PageRequest } from '../page';
import { largestBudget } from '../passes/claim';
import { readMarks } from '../refusals/element-marks';
import { createPrismaSessionStore } from '../session-store/prisma-session-store';
import { storedText } from '../text';
import {
  type ListedEffect,
  listedEffect,
  type ListedRecord,
  listedRecords,
  type ListedWindow,
  listedWindow,
  type StoredSession,
  storedSession,
  WITH_SIZE,
} from './listed-rows';
import { type RestoreAnswer, restoreWindow } from './restore';

/** What owners said of a session: marks on its elements, and a budget that its passes have at least. */
export interface OwnersWord {
  readonly marks: readonly ElementMark[];
  readonly leastBudgetTokens: number;
}

/** Sessions as callers see them, with what was secured for them. */
export interface SessionRepository {
  find(tenantId: string, agentId: string, session: string): Promise<StoredSession | undefined>;
  listSessions(
    tenantId: string,
    filter: { readonly agentIds: readonly string[] | undefined },
    page: PageRequest,
  ): Promise<Page<StoredSession>>;
  listRecords(tenantId: string, sessionId: string, page: PageRequest): Promise<Page<ListedRecord>>;
  listEffects(tenantId: string, sessionId: string, page: PageRequest): Promise<Page<ListedEffect>>;
  listWindows(tenantId: string, sessionId: string, page: PageRequest): Promise<Page<ListedWindow>>;
  /** Makes a window of the session the handed-out one; a new version. */
  restore(tenantId: string, sessionId: string, windowId: string): Promise<RestoreAnswer>;
  /** Source bytes of a window; undefined when the session has no such window. */
  findWindowSource(tenantId: string, sessionId: string, windowId: string): Promise<Uint8Array | undefined>;
  /** What the core knows of a session. */
  loadState(tenantId: string, sessionId: string): Promise<SessionState>;
  /** What owners said of it. Throws STORE_CONFLICT when there is no such session. */
  loadOwnersWord(tenantId: string, sessionId: string): Promise<OwnersWord>;
  /** What the newest pass of a session was asked for; undefined when it has none. */
  findNewestPass(tenantId: string, sessionId: string): Promise<StoredCompaction | undefined>;
}

export function createSessionRepository(database: Database): SessionRepository {
  const reading = { idempotent: true };
  return {
    find: (tenantId, agentId, session) =>
      database.withTenant(
        tenantId,
        async (tx) => {
          const externalId = storedText(session);
          const row = await tx.session.findUnique({
            where: { tenantId_agentId_externalId: { tenantId, agentId, externalId } },
            omit: { history: true },
          });
          return row === null ? undefined : storedSession(row);
        },
        reading,
      ),

    listSessions: (tenantId, { agentIds }, { limit, after }) =>
      database.withTenant(
        tenantId,
        async (tx) => {
          if (after !== undefined && !isUuid(after)) return EMPTY_PAGE;
          const rows = await tx.session.findMany({
            where: {
              tenantId,
              ...(agentIds === undefined ? {} : { agentId: { in: [...agentIds] } }),
              ...(after === undefined ? {} : { id: { lt: after } }),
            },
            // Ids grow with time: the newest first.
            orderBy: { id: 'desc' },
            take: limit + 1,
            omit: { history: true },
          });
          return pageOf(rows, limit, storedSession, (row) => row.id);
        },
        reading,
      ),

    listRecords: (tenantId, sessionId, { limit, after }) =>
      database.withTenant(
        tenantId,
        async (tx) => {
          const position = numberPosition(after);
          if (position === undefined || !isUuid(sessionId)) return EMPTY_PAGE;
          const rows = await tx.record.findMany({
            where: { tenantId, sessionId, no: { gt: position } },
            orderBy: { no: 'asc' },
            take: limit + 1,
            include: { successor: { select: { no: true } }, session: { select: { erasedAt: true } } },
          });
          const records = await listedRecords(tx, tenantId, rows.slice(0, limit));
          const next = rows.length > limit ? rows[limit - 1]?.no : undefined;
          return { items: records, next: next === undefined ? undefined : String(next) };
        },
        reading,
      ),

    listEffects: (tenantId, sessionId, { limit, after }) =>
      database.withTenant(
        tenantId,
        async (tx) => {
          const position = numberPosition(after);
          if (position === undefined || !isUuid(sessionId)) return EMPTY_PAGE;
          const rows = await tx.effect.findMany({
            where: { tenantId, sessionId, no: { gt: position } },
            orderBy: { no: 'asc' },
            take: limit + 1,
          });
          const next = rows.length > limit ? rows[limit - 1]?.no : undefined;
          const items = await Promise.all(rows.slice(0, limit).map(listedEffect));
          return { items, next: next === undefined ? undefined : String(next) };
        },
        reading,
      ),

    listWindows: (tenantId, sessionId, { limit, after }) =>
      database.withTenant(
        tenantId,
        async (tx) => {
          if (!isUuid(sessionId) || (after !== undefined && !isUuid(after))) return EMPTY_PAGE;
          const rows = await tx.window.findMany({
            where: { tenantId, sessionId, ...(after === undefined ? {} : { id: { lt: after } }) },
            orderBy: { id: 'desc' },
            take: limit + 1,
            omit: { manifest: true },
            include: WITH_SIZE,
          });
          return pageOf(rows, limit, listedWindow, (row) => row.id);
        },
        reading,
      ),

    restore: (tenantId, sessionId, windowId) => restoreWindow(database, tenantId, sessionId, windowId),

    findWindowSource: (tenantId, sessionId, windowId) =>
      database.withTenant(
        tenantId,
        async (tx) => {
          if (!isUuid(sessionId) || !isUuid(windowId)) return undefined;
          const window = await tx.window.findFirst({
            where: { tenantId, sessionId, id: windowId },
            select: { originalSha256: true, session: { select: { erasedAt: true } } },
          });
          if (window === null) return undefined;
          demandKept(window.session);
          return loadOriginal(tx, tenantId, window.originalSha256);
        },
        reading,
      ),

    loadOwnersWord: (tenantId, sessionId) =>
      database.withTenant(
        tenantId,
        async (tx) => {
          const where = { tenantId_id: { tenantId, id: sessionId } };
          const { agentId, budgetTokens } = await tx.session.findUniqueOrThrow({
            where,
            select: { agentId: true, budgetTokens: true },
          });
          const agent = await tx.agent.findUniqueOrThrow({
            where: { tenantId_id: { tenantId, id: agentId } },
            select: { budgetTokens: true },
          });
          return {
            marks: await readMarks(tx, tenantId, sessionId),
            leastBudgetTokens: largestBudget(0n, budgetTokens, agent.budgetTokens),
          };
        },
        reading,
      ),

    findNewestPass: (tenantId, sessionId) =>
      database.withTenant(
        tenantId,
        async (tx) => {
          const newest = await tx.compaction.findFirst({
            where: { tenantId, sessionId },
            orderBy: { seq: 'desc' },
            select: { id: true },
          });
          return newest === null ? undefined : findCompaction(tx, tenantId, newest.id);
        },
        reading,
      ),

    loadState: (tenantId, sessionId) => createPrismaSessionStore(database, { tenantId, sessionId }).load(),
  };
}
