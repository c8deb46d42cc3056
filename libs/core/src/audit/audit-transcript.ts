import type { ToolContracts } from '../classify/tool-contract';
import type { ReadLimits } from '../formats/window-format';
import type { TranscriptKind } from '../transcripts/transcript';
import { auditReport, type AuditReport } from './audit-report';
import { auditWindows } from './audit-windows';
import { compactionBoundaries } from './compaction-boundaries';

export interface TranscriptAudit {
  readonly kind?: TranscriptKind;
  readonly contracts?: ToolContracts;
  readonly limits?: ReadLimits;
}

/**
 * Audits every compaction that a transcript records, each with what the session did behind it. A report without
 * boundaries says that the transcript records none. Throws InvalidWindowError when a window of it cannot be read.
 */
export function auditTranscript(text: string, { kind, contracts = {}, limits }: TranscriptAudit = {}): AuditReport {
  return auditReport(
    compactionBoundaries(text, kind).map((boundary) =>
      auditWindows({ ...boundary, contracts, ...(limits === undefined ? {} : { limits }) }),
    ),
  );
}
