import { Client } from 'pg';

/**
 * Everything that stands in the store about one session, without what differs between two runs of the same work: random
 * ids, times, fences, attempts. Contents, receipts and refs like R3 and E12 stay.
 */
export async function dumpSession(connectionString: string, tenantId: string, sessionId: string): Promise<unknown> {
  const client = new Client({ connectionString });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const query = async (text: string): Promise<unknown[]> => (await client.query(text, [sessionId, tenantId])).rows;
    return {
      session: await query(
        `select next_seq, finished_seq, version, next_element, next_record_no, next_effect_no, passes, lease_owner,
           encode(sha256(history), 'hex') as history from sessions where id = $1 and tenant_id = $2`,
      ),
      compactions: await query(
        `select seq, status, phase, outcome, error_code, reason, tokens_before, tokens_after, tokens_pinned, target_met,
           count_reclaim, count_pin_effect, count_externalize, count_ambiguous, replaced_count,
           encode(replaced_hash, 'hex') as replaced, encode(plan_digest, 'hex') as plan
         from compactions where session_id = $1 and tenant_id = $2 order by seq`,
      ),
      windows: await query(
        `select version, kind, format, tokens, pass_no, encode(sha256(manifest), 'hex') as manifest,
           encode(original_sha256, 'hex') as content
         from windows where session_id = $1 and tenant_id = $2 order by version, kind, created_at`,
      ),
      records: await query(
        `select no, element_id, kind, encode(digest, 'hex') as digest, label, trust, superseded_by is null as open
         from records where session_id = $1 and tenant_id = $2 order by no`,
      ),
      effects: await query(
        `select e.no, e.action, e.target, e.kind, e.idempotency_key, e.occurrence, e.status, e.status_raw,
           encode(e.evidence, 'hex') as evidence, encode(e.kept_values, 'hex') as kept,
           (select count(*)::int from effect_attempts a where a.effect_id = e.id) as attempts
         from effects e where e.session_id = $1 and e.tenant_id = $2 order by e.no`,
      ),
      handles: await query(
        `select handle, element_id, label, tokens, encode(sha256, 'hex') as sha256 from handles where session_id = $1 and tenant_id = $2
         order by handle`,
      ),
      segments: await query(
        `select id, source_element_ids, summarizer, encode(text_sha256, 'hex') as text from summary_segments where session_id = $1 and tenant_id = $2
         order by id`,
      ),
      receipts: await query(
        `select encode(prev_hash, 'hex') as previous, encode(hash, 'hex') as hash from receipts
         where session_id = $1 and tenant_id = $2 order by created_at`,
      ),
      refusals: await query(
        `select code, element_ids, status from refusals where session_id = $1 and tenant_id = $2 order by code`,
      ),
      events: await query(
        `select type, count(*)::int as n from events
         where session_id = $1 and tenant_id = $2 and type in ('accepted', 'secured', 'finished') group by type order by type`,
      ),
    };
  } finally {
    await client.end();
  }
}
