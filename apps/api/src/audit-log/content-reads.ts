import { Injectable } from '@nestjs/common';
import type { Caller } from '../auth/caller';
import { AuditRepository } from '../ports/repositories';

/** Reading the same thing with the same key is noted once in this time. */
const NOTE_EVERY_MS = 5 * 60_000;
const REMEMBERED = 20_000;

/** Writes into the audit log who reads stored content, before it is shown. */
@Injectable()
export class ContentReads {
  private readonly notedAtMs = new Map<string, number>();

  constructor(private readonly audit: AuditRepository) {}

  /** `subject` is the session or compaction whose content is read, `via` the way. */
  async note(caller: Caller, subject: string, via: 'recall' | 'window' | 'records'): Promise<void> {
    const what = `${caller.keyId} ${via} ${subject}`;
    const nowMs = performance.now();
    if (nowMs - (this.notedAtMs.get(what) ?? Number.NEGATIVE_INFINITY) < NOTE_EVERY_MS) return;
    await this.audit.record(caller.tenantId, {
      actor: caller.keyId,
      action: 'content.read',
      subject,
      detail: { via },
    });
    if (this.notedAtMs.size >= REMEMBERED) this.notedAtMs.clear();
    this.notedAtMs.set(what, nowMs);
  }
}
