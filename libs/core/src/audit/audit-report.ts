import type { DriftKind, FormatName } from '../terms';

/** One thing that a compaction lost or changed. */
export interface AuditFinding {
  readonly kind: DriftKind;
  /** `error` for what makes a later step wrong; `warning` for what a later step may have to look up again. */
  readonly severity: 'error' | 'warning';
  /** What the window before says; null for an invented value. */
  readonly expected: string | null;
  /** What the window after says; null where it says nothing. */
  readonly observed: string | null;
  /** Where it stood before. */
  readonly source: { readonly element_id: string; readonly path: string } | null;
  /** Where the window after says it: JSON pointer of the part, UTF-16 offsets in its text. */
  readonly place: { readonly path: string; readonly start: number; readonly end: number } | null;
  readonly message: string;
  /** What can be done about it, in a sentence. */
  readonly advice: string;
  /** How many equal ones this one stands for. */
  readonly count: number;
}

/** What one compaction did. */
export interface AuditedBoundary {
  /** Where it stands: `line 303` of a transcript, or `windows` for two windows side by side. */
  readonly at: string;
  readonly format: { readonly before: FormatName; readonly after: FormatName };
  /** Elements of both windows: those that stand in both byte for byte, those that left, those that are new. */
  readonly elements: {
    readonly before: number;
    readonly after: number;
    readonly kept: number;
    readonly left: number;
    readonly added: number;
  };
  /** Characters of what both windows say. */
  readonly characters: { readonly before: number; readonly after: number };
  /** Contract packs that the tools look like, taken for tools that no contract declares. */
  readonly assumed_packs: readonly string[];
  /** Calls that only read, were made before the boundary and made again behind it; null when nothing follows. */
  readonly repeated_reads: number | null;
  /** Worst first. */
  readonly findings: readonly AuditFinding[];
}

/** The account of what somebody's compaction did to windows; holds no secret. */
export interface AuditReport {
  readonly version: 1;
  readonly boundaries: readonly AuditedBoundary[];
  readonly totals: {
    readonly boundaries: number;
    readonly errors: number;
    readonly warnings: number;
    readonly kinds: Readonly<Partial<Record<DriftKind, number>>>;
  };
}

/** A window to audit, as it was sent. */
export interface AuditWindow {
  readonly format: FormatName;
  readonly source: string;
}

/** Sums boundaries up. */
export function auditReport(boundaries: readonly AuditedBoundary[]): AuditReport {
  const kinds: Partial<Record<DriftKind, number>> = {};
  let errors = 0;
  let warnings = 0;
  for (const { kind, severity, count } of boundaries.flatMap(({ findings }) => findings)) {
    kinds[kind] = (kinds[kind] ?? 0) + count;
    if (severity === 'error') errors += count;
    else warnings += count;
  }
  return { version: 1, boundaries, totals: { boundaries: boundaries.length, errors, warnings, kinds } };
}
