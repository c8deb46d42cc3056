import { type LabelMatcher, type SilenceProblem, silenceProblems } from '@holdfast/alerting';
import { recordAudit } from '../../audit-repository';
import type { Database, TenantTransaction } from '../../database';
import type { AlertSilence } from '../../generated/client';
import { fromJsonColumn, jsonColumn } from '../../json-column';
import { EMPTY_PAGE, isUuid, type Page, pageOf, type PageRequest } from '../../page';
import { originalText, storedText } from '../../text';
import { newId } from '../../uuid';
import type { SettingsActor } from './settings-actor';

/** Times in ISO 8601. */
export interface StoredSilence {
  readonly id: string;
  readonly matchers: readonly LabelMatcher[];
  readonly startsAt: string;
  readonly endsAt: string;
  readonly comment: string;
  readonly author: string;
  readonly createdAt: string;
  readonly state: 'waiting' | 'active' | 'ended';
}

export interface SilenceDraft {
  readonly matchers: readonly LabelMatcher[];
  /** Undefined: now. */
  readonly startsAt: Date | undefined;
  readonly endsAt: Date;
  readonly comment: string;
  readonly author: string;
}

export type SilenceAnswer =
  | { readonly kind: 'done'; readonly silence: StoredSilence }
  | { readonly kind: 'invalid'; readonly problems: readonly SilenceProblem[] };

/** Silences of a tenant. None is ever deleted: what was held back, and by whom, stays readable. */
export interface SilenceRepository {
  /** @param isAdministrator may ask for one that lasts longer */
  create(by: SettingsActor, draft: SilenceDraft, isAdministrator: boolean): Promise<SilenceAnswer>;
  /** Newest first. */
  list(tenantId: string, filter: { readonly ended?: boolean }, page: PageRequest): Promise<Page<StoredSilence>>;
  find(tenantId: string, id: string): Promise<StoredSilence | undefined>;
  /** Ends it now, and has told what it held back; one that is over stays as it is. */
  end(by: SettingsActor, id: string): Promise<StoredSilence | undefined>;
}

export function createSilenceRepository(database: Database): SilenceRepository {
  return {
    create: ({ tenantId, actor }, draft, isAdministrator) =>
      database.withTenant(tenantId, async (tx) => {
        const now = await clockOf(tx);
        const startsAt = draft.startsAt ?? now;
        const asked = { ...draft, startsAt: startsAt.getTime(), endsAt: draft.endsAt.getTime() };
        const problems = silenceProblems(asked, now.getTime(), isAdministrator);
        if (problems.length > 0) return { kind: 'invalid', problems };
        const row = await tx.alertSilence.create({
          data: {
            ...{ tenantId, id: newId(), startsAt, endsAt: draft.endsAt, matchers: jsonColumn(draft.matchers) },
            ...{ comment: storedText(draft.comment), author: storedText(draft.author) },
          },
        });
        const detail = { matchers: draft.matchers, ends_at: draft.endsAt.toISOString() };
        await recordAudit(tx, tenantId, { actor, action: 'silence.created', subject: row.id, detail });
        return { kind: 'done', silence: storedSilence(row, now) };
      }),

    list: (tenantId, { ended }, { limit, after }) =>
      database.withTenant(
        tenantId,
        async (tx) => {
          if (after !== undefined && !isUuid(after)) return EMPTY_PAGE;
          const now = await clockOf(tx);
          const rows = await tx.alertSilence.findMany({
            where: {
              tenantId,
              ...(ended === undefined ? {} : { endsAt: ended ? { lte: now } : { gt: now } }),
              ...(after === undefined ? {} : { id: { lt: after } }),
            },
            orderBy: { id: 'desc' },
            take: limit + 1,
          });
          return pageOf(
            rows,
            limit,
            (row) => storedSilence(row, now),
            (row) => row.id,
          );
        },
        { idempotent: true },
      ),

    find: (tenantId, id) => database.withTenant(tenantId, (tx) => findSilence(tx, tenantId, id), { idempotent: true }),

    end: ({ tenantId, actor }, id) =>
      database.withTenant(tenantId, async (tx) => {
        if (!isUuid(id)) return undefined;
        // One that has not begun ends as it begins: its times stay in order.
        const ended = await tx.$executeRaw`
          update alert_silences
          set ends_at = greatest(clock_timestamp(), starts_at + interval '1 microsecond')
          where tenant_id = ${tenantId}::uuid and id = ${id}::uuid and ends_at > clock_timestamp()`;
        if (ended === 1) {
          await tx.$executeRaw`
            update alert_instances set next_notify_at = clock_timestamp()
            where tenant_id = ${tenantId}::uuid and silenced_by = ${id}::uuid and state <> 'pending'`;
          await recordAudit(tx, tenantId, { actor, action: 'silence.ended', subject: id });
        }
        return findSilence(tx, tenantId, id);
      }),
  };
}

async function clockOf(tx: TenantTransaction): Promise<Date> {
  const [row] = await tx.$queryRaw<{ now: Date }[]>`select clock_timestamp() as now`;
  return row?.now ?? new Date();
}

async function findSilence(tx: TenantTransaction, tenantId: string, id: string): Promise<StoredSilence | undefined> {
  if (!isUuid(id)) return undefined;
  const row = await tx.alertSilence.findUnique({ where: { tenantId_id: { tenantId, id } } });
  return row === null ? undefined : storedSilence(row, await clockOf(tx));
}

function storedSilence(row: AlertSilence, now: Date): StoredSilence {
  const { startsAt, endsAt } = row;
  return {
    id: row.id,
    matchers: fromJsonColumn(row.matchers) as StoredSilence['matchers'],
    startsAt: startsAt.toISOString(),
    endsAt: endsAt.toISOString(),
    comment: originalText(row.comment),
    author: originalText(row.author),
    createdAt: row.createdAt.toISOString(),
    state: endsAt <= now ? 'ended' : startsAt > now ? 'waiting' : 'active',
  };
}
