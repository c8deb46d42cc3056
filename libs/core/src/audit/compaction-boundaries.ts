import { findJson } from '../formats/find-json';
import { member, sourceOf, stringValue, type JsonNode } from '../json';
import { readJsonLines, type JsonLine } from '../transcripts/json-lines';
import { readTranscript } from '../transcripts';
import type { TranscriptKind } from '../transcripts/transcript';
import type { AuditWindow } from './audit-report';

/** A compaction that a transcript records. */
export interface CompactionBoundary {
  /** `line 303`, `event 17`: counted from 1. */
  readonly at: string;
  readonly before: AuditWindow;
  readonly after: AuditWindow;
  /** The window as it had grown by the next compaction or the end. */
  readonly later: AuditWindow;
}

/** A part of a transcript as a text of its own: its first `count` records. */
interface Records {
  readonly unit: 'line' | 'event';
  readonly count: number;
  /** Index of the record, and of the record behind the whole compaction (its summary may stand in one of its own). */
  readonly boundaries: readonly { readonly first: number; readonly behind: number }[];
  first(count: number): string;
  /** The number that a person sees in the file. */
  numberOf(index: number): number;
}

/**
 * The compactions of a transcript, in order. A reader makes of a file the window that its model would see next, so the
 * beginning of a file up to a boundary is the window before it, and up to what the compactor wrote the window after it.
 *
 * Knows the boundaries of Claude Code, pi, Codex, OpenHands and its agent SDK. Empty for a transcript without one, and for a text that is none.
 */
export function compactionBoundaries(text: string, hint?: TranscriptKind): readonly CompactionBoundary[] {
  const records = recordsOf(text);
  if (records === undefined) return [];
  return records.boundaries.flatMap(({ first, behind }, index): readonly CompactionBoundary[] => {
    const next = records.boundaries[index + 1]?.first ?? records.count;
    const before = windowOf(records.first(first), hint);
    const after = windowOf(records.first(behind), hint);
    const later = windowOf(records.first(next), hint);
    if (before === undefined || after === undefined || later === undefined) return [];
    return [{ at: `${records.unit} ${records.numberOf(first)}`, before, after, later }];
  });
}

function windowOf(text: string, hint: TranscriptKind | undefined): AuditWindow | undefined {
  const answer = readTranscript(text, hint);
  return answer.kind === 'unreadable'
    ? undefined
    : { format: answer.transcript.format, source: answer.transcript.source };
}

function recordsOf(text: string): Records | undefined {
  const root = findJson(text);
  const list = root === undefined ? undefined : listOf(root);
  if (root !== undefined && list !== undefined && list.items.length > 0) return documentRecords(text, list.items);
  return lineRecords(readJsonLines(text).lines);
}

function listOf(root: JsonNode): Extract<JsonNode, { kind: 'array' }> | undefined {
  if (root.kind === 'array') return root;
  const found = ['history', 'events', 'loglines']
    .map((key) => member(root, key))
    .find((node) => node?.kind === 'array');
  return found?.kind === 'array' ? found : undefined;
}

function lineRecords(lines: readonly JsonLine[]): Records {
  return {
    unit: 'line',
    count: lines.length,
    boundaries: boundariesOf(lines.map(({ node }) => node)),
    first: (count) =>
      lines
        .slice(0, count)
        .map((line) => line.text)
        .join('\n'),
    numberOf: (index) => lines[index]?.number ?? index + 1,
  };
}

function documentRecords(text: string, events: readonly JsonNode[]): Records {
  const sources = events.map((event) => sourceOf(text, event));
  return {
    unit: 'event',
    count: events.length,
    boundaries: boundariesOf(events),
    first: (count) => `[${sources.slice(0, count).join(',')}]`,
    numberOf: (index) => index + 1,
  };
}

/** The summary of a boundary follows within this many records. */
const SUMMARY_WITHIN = 4;

function boundariesOf(records: readonly JsonNode[]): Records['boundaries'] {
  const boundaries: { first: number; behind: number }[] = [];
  records.forEach((record, index) => {
    if (index < (boundaries.at(-1)?.behind ?? 0) || !isBoundary(record)) return;
    const near = records.slice(index, index + SUMMARY_WITHIN);
    const summary = near.findIndex(isSummary);
    boundaries.push({ first: index, behind: index + Math.max(summary, 0) + 1 });
  });
  return boundaries;
}

function isBoundary(record: JsonNode): boolean {
  const type = stringValue(member(record, 'type'));
  return (
    isSummary(record) ||
    stringValue(member(record, 'subtype')) === 'compact_boundary' ||
    (type === 'compaction' && member(record, 'summary') !== undefined) ||
    (type === 'compacted' && member(record, 'payload') !== undefined) ||
    stringValue(member(record, 'action')) === 'condensation' ||
    stringValue(member(record, 'kind')) === 'Condensation'
  );
}

/** Claude Code writes the summary as a message of its own. */
function isSummary(record: JsonNode): boolean {
  const flag = member(record, 'isCompactSummary');
  return flag?.kind === 'boolean' && flag.value;
}
