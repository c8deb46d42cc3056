import type { Database, TenantTransaction } from '../database';
import { Prisma } from '../generated/client';

/** Originals of one batch: each is locked for the time that it takes. */
const BATCH_ROWS = 2_000;
const BATCH_TIMEOUT_MS = 60_000;

export interface ErasedOriginals {
  readonly originals: number;
  /** Bytes of their contents. */
  readonly bytes: number;
}

/**
 * Takes the bytes of every original that nothing needs any more, in batches; row, digest and size stay. Needed are, of a
 * session that was not erased: its accepted and handed-out window, windows that are younger than `windowsDays` or belong to
 * a pass that has not finished, and whatever a record, a handle, a segment or an effect refers to. Safe to repeat.
 */
export async function eraseUnneeded(
  database: Database,
  tenantId: string,
  windowsDays: number | undefined,
): Promise<ErasedOriginals> {
  let erased: ErasedOriginals = { originals: 0, bytes: 0 };
  for (;;) {
    const batch = await database.withTenant(tenantId, (tx) => eraseBatch(tx, tenantId, windowsDays), {
      timeoutMs: BATCH_TIMEOUT_MS,
    });
    erased = { originals: erased.originals + batch.originals, bytes: erased.bytes + batch.bytes };
    if (batch.originals === 0) return erased;
  }
}

async function eraseBatch(
  tx: TenantTransaction,
  tenantId: string,
  windowsDays: number | undefined,
): Promise<ErasedOriginals> {
  await tx.$executeRaw`select set_config('statement_timeout', ${String(BATCH_TIMEOUT_MS)}, true)`;
  const youngerThan = windowsDays ?? 0;
  const allWindows = windowsDays === undefined;
  // Whoever refers to one at this moment holds a lock on it: it is left out, and stays.
  const locked = await tx.$queryRaw<{ sha256: Uint8Array<ArrayBuffer> }[]>`
    select o.sha256 from originals o
    where o.tenant_id = ${tenantId}::uuid and o.size > 0 and octet_length(o.bytes) > 0
      and (${allWindows} or o.created_at < clock_timestamp() - ${youngerThan}::int * interval '1 day')
      and not exists (select from (${neededSql(tenantId, allWindows, youngerThan)}) n where n.sha256 = o.sha256)
    order by o.sha256 limit ${BATCH_ROWS}::int for update of o skip locked`;
  if (locked.length === 0) return { originals: 0, bytes: 0 };
  // Asked again behind the locks: what was committed since the statement above began counts too.
  const rows = await tx.$queryRaw<{ size: bigint }[]>`
    update originals o set bytes = ''::bytea, encoding = 'identity', key_version = 0
    where o.tenant_id = ${tenantId}::uuid and o.sha256 = any(${locked.map(({ sha256 }) => sha256)}::bytea[])
      and not exists (select from (${neededSql(tenantId, allWindows, youngerThan)}) n where n.sha256 = o.sha256)
    returning o.size`;
  return { originals: rows.length, bytes: rows.reduce((sum, { size }) => sum + Number(size), 0) };
}

/** Digests that something needs. Sessions that were erased need nothing. */
function neededSql(tenantId: string, allWindows: boolean, youngerThan: number): Prisma.Sql {
  return Prisma.sql`
    select w.original_sha256 as sha256 from windows w
    join sessions s on s.tenant_id = w.tenant_id and s.id = w.session_id and s.erased_at is null
    where w.tenant_id = ${tenantId}::uuid and (
      ${allWindows} or w.id in (s.accepted_window_id, s.handed_out_window_id)
      or w.created_at >= clock_timestamp() - ${youngerThan}::int * interval '1 day'
      or exists (
        select from compactions c
        where c.tenant_id = w.tenant_id and c.session_id = w.session_id and c.seq > s.finished_seq
          and w.id in (c.input_window_id, c.output_window_id, c.best_proven_window_id)
      )
    )
    union all
    select r.content_sha256 from records r
    join sessions s on s.tenant_id = r.tenant_id and s.id = r.session_id and s.erased_at is null
    where r.tenant_id = ${tenantId}::uuid
    union all
    select h.sha256 from handles h
    join sessions s on s.tenant_id = h.tenant_id and s.id = h.session_id and s.erased_at is null
    where h.tenant_id = ${tenantId}::uuid
    union all
    select g.text_sha256 from summary_segments g
    join sessions s on s.tenant_id = g.tenant_id and s.id = g.session_id and s.erased_at is null
    where g.tenant_id = ${tenantId}::uuid
    union all
    select e.result_sha256 from effects e
    join sessions s on s.tenant_id = e.tenant_id and s.id = e.session_id and s.erased_at is null
    where e.tenant_id = ${tenantId}::uuid and e.result_sha256 is not null`;
}
