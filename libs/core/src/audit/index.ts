export {
  auditReport,
  type AuditedBoundary,
  type AuditFinding,
  type AuditReport,
  type AuditWindow,
} from './audit-report';
export { auditWindows, type AuditInput } from './audit-windows';
export { auditTranscript } from './audit-transcript';
export { compactionBoundaries, type CompactionBoundary } from './compaction-boundaries';
