import { grouped, textTable } from '../../report/text-table';
import type { Fate, TranscriptResult } from './evaluate-transcript';

/** Below it a window is mostly what must stay: the share is asked of larger ones. */
const LARGE_TOKENS = 1_000;
const FATES: readonly Fate[] = ['compacted', 'floor_bound', 'unchanged', 'refused', 'failed'];

/** Figures of some files. Tokens are without system prompts. */
interface Figures extends Readonly<Record<Fate, number>> {
  readonly files: number;
  readonly messages: number;
  readonly tool_calls: number;
  readonly tokens_before: number;
  readonly tokens_after: number;
  /** Files above 1,000 tokens, and those of them at or below the share. */
  readonly large: number;
  readonly large_to_share: number;
  readonly repaired: number;
  readonly rejected_as_recorded: number;
  readonly ms: number;
  readonly ms_max: number;
}

/** Figures of all files, and of each kind of transcript with the format of its window. */
export function transcriptFigures(
  results: readonly TranscriptResult[],
): Figures & { readonly formats: Readonly<Record<string, Figures>> } {
  return { ...figuresOf(results), formats: figuresByKind(results) };
}

/** The same as a table, one row for each kind of transcript. */
export function transcriptTable(results: readonly TranscriptResult[]): readonly string[] {
  const titles = ['messages', 'before', 'after', ...FATES.map((fate) => fate.replace('_', '-')), 'at share', 'ms'];
  const columns = [
    { title: 'transcripts', align: 'left' } as const,
    ...['files', ...titles].map((title) => ({ title, align: 'right' }) as const),
  ];
  const row = ([name, figures]: readonly [string, Figures]): readonly string[] => [
    name,
    ...[figures.files, figures.messages, figures.tokens_before, figures.tokens_after].map(grouped),
    ...FATES.map((fate) => grouped(figures[fate])),
    `${figures.large_to_share} of ${figures.large}`,
    grouped(figures.ms),
  ];
  return textTable(columns, [...Object.entries(figuresByKind(results)).map(row), row(['all', figuresOf(results)])]);
}

function figuresByKind(results: readonly TranscriptResult[]): Readonly<Record<string, Figures>> {
  const kinds = [...new Set(results.map(kindOf))].sort();
  return Object.fromEntries(
    kinds.map((kind) => [kind, figuresOf(results.filter((result) => kindOf(result) === kind))]),
  );
}

/** `claude-code (anthropic)`; a list of messages as it stands is named by its format alone. */
function kindOf({ kind, format }: TranscriptResult): string {
  return kind === 'window' || kind === 'unreadable' ? format : `${kind} (${format})`;
}

function figuresOf(results: readonly TranscriptResult[]): Figures {
  const sum = (of: (result: TranscriptResult) => number): number =>
    results.reduce((total, result) => total + of(result), 0);
  const fates = (fate: Fate): number => results.filter((result) => result.fate === fate).length;
  const large = results.filter(({ tokensBefore }) => tokensBefore > LARGE_TOKENS);
  return {
    files: results.length,
    messages: sum(({ messages }) => messages),
    tool_calls: sum(({ calls }) => calls),
    tokens_before: sum(({ tokensBefore }) => tokensBefore),
    tokens_after: sum(({ tokensAfter }) => tokensAfter),
    compacted: fates('compacted'),
    floor_bound: fates('floor_bound'),
    unchanged: fates('unchanged'),
    refused: fates('refused'),
    failed: fates('failed'),
    large: large.length,
    large_to_share: large.filter(({ fate }) => fate === 'compacted').length,
    repaired: results.filter(({ repairs }) => repairs > 0).length,
    rejected_as_recorded: results.filter(({ recordedProblem }) => recordedProblem !== undefined).length,
    ms: Math.round(sum(({ durationMs }) => durationMs)),
    ms_max: Math.round(Math.max(0, ...results.map(({ durationMs }) => durationMs))),
  };
}
