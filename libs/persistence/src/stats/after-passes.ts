import { Prisma } from '../generated/client';
import { type FactRange, within } from './fact-queries';

const CALLS = ['0-1', '2-5', '6-20', '>20'] as const;
const MINUTES = ['0-1', '1-5', '5-30', '>30'] as const;
/** Spans of calls and of minutes since a pass; calls without a pass before them are in none. */
export const SINCE_PASS_SPANS = { calls: CALLS, minutes: MINUTES } as const;

/** How far into the past the calls since a pass are counted. */
const MOST_CALLS = 1_000;

/**
 * Outcomes and blocked duplicates, each with the calls and the time since the last pass of its session that had handed
 * out a window. Calls before a blocked duplicate are the outcomes that its agent told, or the claims, whichever are more.
 */
function events(range: FactRange): Prisma.Sql {
  const { tenantId } = range;
  return Prisma.sql`
    select o.outcome as name, o.since_pass as calls, extract(epoch from o.at - c.finished_at) / 60 as minutes
    from tool_outcomes o
    join compactions c on c.tenant_id = o.tenant_id and c.id = o.compaction_id
    where ${within('at', range, 'o.')}
    union all
    select 'double_execution_blocked', greatest(
      (select count(distinct coalesce(t.call_id, t.id::text)) from (
        select call_id, id from tool_outcomes
        where tenant_id = ${tenantId}::uuid and session_id = e.session_id and compaction_id = p.id and at <= a.at
        limit ${MOST_CALLS}) t),
      (select count(*) from (
        select 1 from effect_attempts b join effects f on f.tenant_id = b.tenant_id and f.id = b.effect_id
        where b.tenant_id = ${tenantId}::uuid and b.agent_id = a.agent_id and b.source = 'claimed'
          and b.at > p.finished_at and b.at <= a.at and f.session_id = e.session_id
        limit ${MOST_CALLS}) t)
    ), extract(epoch from a.at - p.finished_at) / 60
    from effect_attempts a
    join effects e on e.tenant_id = a.tenant_id and e.id = a.effect_id
    join lateral (
      select id, finished_at from compactions
      where tenant_id = ${tenantId}::uuid and session_id = e.session_id and outcome = 'compacted' and finished_at <= a.at
      order by seq desc limit 1
    ) p on true
    where ${within('at', range, 'a.')} and a.answer = 'duplicate'`;
}

/** Rows `(name, by, span, n)`. */
export function sincePassSql(range: FactRange): Prisma.Sql {
  return Prisma.sql`
    with events as (${events(range)})
    select name, 'calls' as by,
      case when calls <= 1 then '0-1' when calls <= 5 then '2-5' when calls <= 20 then '6-20' else '>20' end as span,
      count(*)::float8 as n
    from events group by 1, 3
    union all
    select name, 'minutes',
      case when minutes < 1 then '0-1' when minutes < 5 then '1-5' when minutes < 30 then '5-30' else '>30' end,
      count(*)::float8
    from events group by 1, 3`;
}
