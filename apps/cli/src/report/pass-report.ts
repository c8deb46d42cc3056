import type {
  Mode,
  OutcomeName,
  Receipt,
  ReceiptFinding,
  RecallSetting,
  Refusal,
  WindowIncident,
} from '@holdfast/core';

export interface ReportedEffect {
  readonly ref: string;
  readonly action: string;
  readonly target: string;
  readonly status: string;
  readonly kept: readonly string[];
  readonly evidence: string;
}

export interface ReportedRecord {
  readonly ref: string;
  readonly kind: string;
  readonly label: string;
  readonly content: string;
  readonly superseded: boolean;
}

export interface PhaseTime {
  readonly phase: string;
  readonly durationMs: number;
}

/** Everything that a person is told about one pass; filled from a local pass or from the API's answers. */
export interface PassReport {
  readonly title: string;
  /** Where it came from, for the reader: a path. */
  readonly origin: string;
  readonly mode: Mode;
  readonly recall: RecallSetting;
  /** Tools that the agent declared; undefined: no contract at all. */
  readonly declaredTools: number | undefined;
  /** What the reader of the transcript mended, and other remarks. */
  readonly remarks: readonly string[];
  readonly outcome: OutcomeName;
  /** Why it is unchanged or failed. */
  readonly reason: string | undefined;
  readonly refusal: Refusal | undefined;
  /** What somebody else had changed in a window that was handed out before. */
  readonly incidents: readonly Pick<WindowIncident, 'kind' | 'severity' | 'message'>[];
  readonly receipt: Receipt | undefined;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly tokensSystem: number;
  readonly notices: readonly { readonly code: string; readonly message: string }[];
  readonly effects: readonly ReportedEffect[];
  readonly records: readonly ReportedRecord[];
  /** Findings of checking the receipt offline; undefined when there is nothing to check. */
  readonly findings: readonly ReceiptFinding[] | undefined;
  readonly phases: readonly PhaseTime[];
  /** The window that was handed out; undefined when the caller keeps its own. */
  readonly window: string | undefined;
}
