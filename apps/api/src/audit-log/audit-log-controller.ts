import { once } from 'node:events';
import {
  auditExportQuerySchema,
  type AuditEntryResponse,
  auditLogQuerySchema,
  type AuditVerificationResponse,
} from '@holdfast/contracts';
import { Controller, Get, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import type { Caller } from '../auth/caller';
import { CallerOf } from '../auth/caller-of';
import { Scopes } from '../auth/scopes';
import { pageRequest, pageView } from '../http/page';
import { readQuery } from '../http/query';
import { AuditRepository, type StoredAuditEntry } from '../ports/repositories';

const EXPORT_ROWS = 500;

interface WireFilter {
  readonly actor?: string | undefined;
  readonly action?: string | undefined;
  readonly subject?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

@Controller('v1/audit-log')
export class AuditLogController {
  constructor(private readonly audit: AuditRepository) {}

  @Get()
  @Scopes('audit:read')
  async list(
    @Query() query: unknown,
    @CallerOf() caller: Caller,
  ): Promise<{ readonly items: AuditEntryResponse[]; readonly next: string | null }> {
    const { limit, cursor, ...filter } = readQuery(query, auditLogQuerySchema);
    const page = pageRequest({ limit, cursor }, 'number');
    return pageView(await this.audit.list(caller.tenantId, filterOf(filter), page), entryView);
  }

  @Get('export')
  @Scopes('audit:read')
  async export(@Query() query: unknown, @CallerOf() caller: Caller, @Res() response: Response): Promise<void> {
    const filter = filterOf(readQuery(query, auditExportQuerySchema));
    let after: string | undefined;
    for (;;) {
      const entries = await this.audit.listFrom(caller.tenantId, filter, after, EXPORT_ROWS);
      // Only now, so that a store that is away is still answered as a problem.
      if (after === undefined) {
        response.status(200).set({
          'Content-Type': 'application/x-ndjson; charset=utf-8',
          'Content-Disposition': 'attachment; filename="audit-log.ndjson"',
        });
      }
      const lines = entries.map((entry) => `${JSON.stringify(entryView(entry))}\n`).join('');
      if (lines !== '' && !response.write(lines)) {
        await Promise.race([once(response, 'drain'), once(response, 'close')]);
      }
      after = entries.at(-1)?.id;
      if (entries.length < EXPORT_ROWS || after === undefined || response.destroyed) break;
    }
    response.end();
  }

  @Get('verify')
  @Scopes('audit:read')
  async verify(@CallerOf() caller: Caller): Promise<AuditVerificationResponse> {
    const { rows, unchained, head, firstBroken } = await this.audit.verify(caller.tenantId);
    return {
      ok: firstBroken === undefined,
      ...{ rows, unchained, head: head ?? null },
      first_broken: firstBroken ?? null,
    };
  }
}

function filterOf({ from, to, ...rest }: WireFilter) {
  const time = (text: string | undefined): Date | undefined => (text === undefined ? undefined : new Date(text));
  return { ...rest, from: time(from), to: time(to) };
}

function entryView(entry: StoredAuditEntry): AuditEntryResponse {
  const { id, actor, action, subject, detail, at } = entry;
  return { id, actor, action, subject, detail, at, hash: entry.hash ?? null, prev_hash: entry.prevHash ?? null };
}
