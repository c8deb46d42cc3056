import { quoteJson } from '../json';
import type { FormatName } from '../terms';

export const TRANSCRIPT_KINDS = [
  'claude-code',
  'pi-session',
  'codex-rollout',
  'openhands',
  'swe-agent',
  'mini-swe-agent',
  'tau-bench',
  'intercode',
  'trace',
  'gemini-responses',
  'agents-run-state',
  'ui-stream',
  'request-record',
  'window',
] as const;
/** Where a transcript comes from; `window` is a list of messages or a request as it stands. */
export type TranscriptKind = (typeof TRANSCRIPT_KINDS)[number];

/** Something that the reader added or left out, because the window would not be accepted without. */
export interface TranscriptRepair {
  readonly kind:
    'result_missing' | 'result_without_call' | 'beginning_missing' | 'unsigned_reasoning_left_out' | 'line_unreadable';
  /** The call id, or the line's number counted from 1. */
  readonly subject: string;
}

/** A session on disk as the window that its model would see next. */
export interface Transcript {
  readonly kind: TranscriptKind;
  readonly format: FormatName;
  /** Source text for that format's reader. */
  readonly source: string;
  readonly model: string | undefined;
  /** Names the session within its origin; stable when the file grows. */
  readonly sessionHint: string | undefined;
  readonly title: string;
  readonly repairs: readonly TranscriptRepair[];
}

export type TranscriptAnswer =
  | { readonly kind: 'transcript'; readonly transcript: Transcript }
  | { readonly kind: 'unreadable'; readonly reason: string };

/** Stands in front of a transcript that begins with the model's words. */
export const MISSING_BEGINNING_TEXT = '[The transcript begins in the middle of a session.]';

/** The same as a content of Gemini's. */
export const GEMINI_BEGINNING = `{"role":"user","parts":[{"text":${quoteJson(MISSING_BEGINNING_TEXT)}}]}`;

const TITLE_CHARACTERS = 72;

/** The first line of a text, shortened at a word. */
export function titleOf(text: string): string {
  const line = text.trim().split(/\r?\n/, 1)[0] ?? '';
  if (line.length <= TITLE_CHARACTERS) return line;
  const cut = line.slice(0, TITLE_CHARACTERS);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), TITLE_CHARACTERS / 2)).trimEnd()} ...`;
}
