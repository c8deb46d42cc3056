import { STANDARD_RULES } from '@holdfast/alerting';
import type { TenantTransaction } from '../../database';
import { derivedId } from '../../uuid';
import { firstJudgement, ruleColumns, USUAL_NOTIFY } from './rule-columns';

/** The same rule of the same tenant has the same id, whatever its tenant calls it later. */
function standardRuleId(tenantId: string, name: string): string {
  return derivedId('standard alert rule', tenantId, name);
}

/** Writes the rules that every tenant starts with where they are not there; what a tenant made of them stays. */
export async function ensureStandardRules(tx: TenantTransaction, tenantId: string): Promise<void> {
  const wanted = STANDARD_RULES.map((rule) => ({ rule, id: standardRuleId(tenantId, rule.name) }));
  const there = await tx.alertRule.findMany({
    where: { tenantId, id: { in: wanted.map(({ id }) => id) } },
    select: { id: true },
  });
  const known = new Set(there.map(({ id }) => id));
  const missing = wanted.filter(({ id }) => !known.has(id));
  if (missing.length === 0) return;
  // Of two that write them at once, the second one finds those of the first; a name that is taken stays taken.
  await tx.alertRule.createMany({
    data: missing.map(({ rule, id }) => ({
      ...{ tenantId, id, standard: true },
      ...ruleColumns(rule, USUAL_NOTIFY),
      nextRunAt: firstJudgement(rule),
    })),
    skipDuplicates: true,
  });
}
