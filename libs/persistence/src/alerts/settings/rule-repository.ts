import type { AlertRule, RuleKind } from '@holdfast/alerting';
import { recordAudit } from '../../audit-repository';
import type { Database, TenantTransaction } from '../../database';
import { Prisma, type AlertRule as RuleRow } from '../../generated/client';
import { EMPTY_PAGE, isUuid, type Page, pageOf, type PageRequest } from '../../page';
import { storedText } from '../../text';
import { newId } from '../../uuid';
import { unknownChannels } from './known-channels';
import { firstJudgement, ruleColumns, type RuleNotify, type StoredAlertRule, storedRule } from './rule-columns';
import type { SettingsActor } from './settings-actor';
import { ensureStandardRules } from './standard-rules';

/** A rule as somebody wants it to be. */
export interface RuleDraft {
  readonly rule: AlertRule;
  readonly notify: RuleNotify;
  readonly enabled: boolean;
}

export type RuleChange =
  | { readonly kind: 'done'; readonly rule: StoredAlertRule }
  | { readonly kind: 'name_taken' }
  /** It names channels that are not there. */
  | { readonly kind: 'channels_unknown'; readonly channelIds: readonly string[] }
  /** A rule stays of its kind. */
  | { readonly kind: 'other_kind'; readonly isOf: RuleKind }
  | { readonly kind: 'unknown' };

/** Rules of alerting of a tenant; every change stands in its audit log. */
export interface RuleRepository {
  /** Standard rules that are missing are made first. */
  list(tenantId: string, page: PageRequest): Promise<Page<StoredAlertRule>>;
  find(tenantId: string, id: string): Promise<StoredAlertRule | undefined>;
  create(by: SettingsActor, draft: RuleDraft): Promise<RuleChange>;
  /** Alerts of a rule that is disabled are over. */
  replace(by: SettingsActor, id: string, draft: RuleDraft): Promise<RuleChange>;
  /** The rule stays as the reason of the alerts that it had. */
  remove(by: SettingsActor, id: string): Promise<'done' | 'standard' | 'unknown'>;
}

export function createRuleRepository(database: Database): RuleRepository {
  return {
    list: (tenantId, { limit, after }) =>
      database.withTenant(
        tenantId,
        async (tx) => {
          if (after !== undefined && !isUuid(after)) return EMPTY_PAGE;
          await ensureStandardRules(tx, tenantId);
          const behind = after === undefined ? Prisma.empty : Prisma.sql`and id > ${after}::uuid`;
          const found = await tx.$queryRaw<{ id: string }[]>`
            select id::text from alert_rules
            where tenant_id = ${tenantId}::uuid and not jsonb_exists(settings, 'deleted') ${behind}
            order by alert_rules.id limit ${limit + 1}::int`;
          const rows = await tx.alertRule.findMany({
            where: { tenantId, id: { in: found.map(({ id }) => id) } },
            orderBy: { id: 'asc' },
          });
          return pageOf(rows, limit, storedRule, (row) => row.id);
        },
        { idempotent: true },
      ),

    find: (tenantId, id) =>
      database.withTenant(
        tenantId,
        async (tx) => {
          const row = await ruleRow(tx, tenantId, id);
          return row === undefined ? undefined : storedRule(row);
        },
        { idempotent: true },
      ),

    create: ({ tenantId, actor }, draft) =>
      database.withTenant(tenantId, async (tx) => {
        await ensureStandardRules(tx, tenantId);
        const refused = await unknownChannelsOf(tx, tenantId, draft);
        if (refused !== undefined) return refused;
        const id = newId();
        const { count } = await tx.alertRule.createMany({
          data: {
            ...{ tenantId, id, enabled: draft.enabled, nextRunAt: firstRun(draft) },
            ...ruleColumns(draft.rule, draft.notify),
          },
          skipDuplicates: true,
        });
        if (count === 0) return { kind: 'name_taken' };
        const rule = storedRule(await tx.alertRule.findUniqueOrThrow({ where: { tenantId_id: { tenantId, id } } }));
        await recordAudit(tx, tenantId, {
          actor,
          action: 'alert_rule.created',
          subject: id,
          detail: auditDetail(draft),
        });
        return { kind: 'done', rule };
      }),

    replace: ({ tenantId, actor }, id, draft) =>
      database.withTenant(tenantId, async (tx) => {
        const row = await lockRule(tx, tenantId, id);
        if (row === undefined) return { kind: 'unknown' };
        if (row.kind !== draft.rule.kind) return { kind: 'other_kind', isOf: row.kind as RuleKind };
        const refused = await unknownChannelsOf(tx, tenantId, draft);
        if (refused !== undefined) return refused;
        if (await isNameTaken(tx, tenantId, id, draft.rule.name)) return { kind: 'name_taken' };
        const changed = await tx.alertRule.update({
          where: { tenantId_id: { tenantId, id } },
          data: {
            ...ruleColumns(draft.rule, draft.notify),
            ...{ enabled: draft.enabled, nextRunAt: firstRun(draft) },
          },
        });
        if (row.enabled && !draft.enabled) await endAlerts(tx, tenantId, id);
        await recordAudit(tx, tenantId, {
          actor,
          action: 'alert_rule.changed',
          subject: id,
          detail: auditDetail(draft),
        });
        return { kind: 'done', rule: storedRule(changed) };
      }),

    remove: ({ tenantId, actor }, id) =>
      database.withTenant(tenantId, async (tx) => {
        const row = await lockRule(tx, tenantId, id);
        if (row === undefined) return 'unknown';
        if (row.standard) return 'standard';
        await endAlerts(tx, tenantId, id);
        await tx.$executeRaw`
          update alert_rules set enabled = false, next_run_at = null, name = name || ' (deleted ' || id::text || ')',
            settings = jsonb_set(settings, '{deleted}', 'true')
          where tenant_id = ${tenantId}::uuid and id = ${id}::uuid`;
        await recordAudit(tx, tenantId, {
          ...{ actor, action: 'alert_rule.deleted', subject: id },
          detail: { name: storedRule(row).rule.name },
        });
        return 'done';
      }),
  };
}

/** Events are judged as they come; the rest has a turn, the first one at once. */
function firstRun({ rule, enabled }: RuleDraft): Date | null {
  return enabled ? firstJudgement(rule) : null;
}

function auditDetail({ rule: { name, kind, severity }, enabled }: RuleDraft): Readonly<Record<string, unknown>> {
  return { name, kind, severity, enabled };
}

async function ruleRow(tx: TenantTransaction, tenantId: string, id: string): Promise<RuleRow | undefined> {
  if (!isUuid(id)) return undefined;
  const row = await tx.alertRule.findUnique({ where: { tenantId_id: { tenantId, id } } });
  return row === null || isDeleted(row) ? undefined : row;
}

function isDeleted({ settings }: RuleRow): boolean {
  return typeof settings === 'object' && settings !== null && 'deleted' in settings;
}

async function lockRule(tx: TenantTransaction, tenantId: string, id: string): Promise<RuleRow | undefined> {
  if (!isUuid(id)) return undefined;
  await tx.$queryRaw`
    select id::text from alert_rules where tenant_id = ${tenantId}::uuid and id = ${id}::uuid for update`;
  return ruleRow(tx, tenantId, id);
}

async function unknownChannelsOf(
  tx: TenantTransaction,
  tenantId: string,
  { notify }: RuleDraft,
): Promise<Extract<RuleChange, { kind: 'channels_unknown' }> | undefined> {
  const named = [...(notify.channelIds ?? []), ...notify.escalation.flatMap(({ channelIds }) => channelIds)];
  const channelIds = await unknownChannels(tx, tenantId, named);
  return channelIds.length === 0 ? undefined : { kind: 'channels_unknown', channelIds };
}

async function isNameTaken(tx: TenantTransaction, tenantId: string, id: string, name: string): Promise<boolean> {
  const other = await tx.alertRule.findFirst({
    where: { tenantId, name: storedText(name), id: { not: id } },
    select: { id: true },
  });
  return other !== null;
}

/** Whoever was told that one fires is told that it is over. */
async function endAlerts(tx: TenantTransaction, tenantId: string, ruleId: string): Promise<void> {
  await tx.$executeRaw`
    update alert_instances set state = 'resolved', resolved_at = clock_timestamp(),
      next_notify_at = case when state = 'pending' then null else clock_timestamp() end
    where tenant_id = ${tenantId}::uuid and rule_id = ${ruleId}::uuid and state <> 'resolved'`;
}
