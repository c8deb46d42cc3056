import type { PeerResult, WindowResult } from './evaluate-window';

/** Shares 0..1 of the needed values; `undefined` where nothing was needed. */
export interface Shares {
  readonly windows: number;
  readonly needed: number;
  readonly verbatim: number | null;
  readonly named: number | null;
  readonly recallable: number | null;
  readonly tokens_left: number | null;
}

export interface SetupFigures extends Shares {
  readonly formats: Readonly<Record<string, Shares>>;
  /** All formats but tau-bench, pooled. */
  readonly others: Shares;
  /** Windows whose authoritative floor is above the share: the smallest proven window, listed apart. */
  readonly floor_bound: Shares & {
    readonly formats: Readonly<Record<string, Shares>>;
    /** What the tokens of these windows are held by, most first, as shares of what is left. */
    readonly held_by: Readonly<Record<string, number>>;
  };
  readonly outcomes: Readonly<Record<string, number>>;
  /** What the pass did to the elements that held a value which is lost or nameless, most frequent first. */
  readonly causes: readonly {
    readonly cause: string;
    readonly lost: number;
    readonly unnamed: number;
    readonly unrecallable: number;
  }[];
  readonly duration_ms: number;
}

const CUSTOMER_SERVICE = 'openai-chat-tau-bench';
const CAUSES_SHOWN = 10;

export function setupFigures(results: readonly WindowResult[]): SetupFigures {
  const done = results.filter(({ outcome }) => outcome !== 'failed');
  const free = done.filter(({ floorBound }) => !floorBound);
  const bound = done.filter(({ floorBound }) => floorBound);
  return {
    ...sharesOf(free),
    formats: byFormat(free),
    others: sharesOf(free.filter(({ format }) => format !== CUSTOMER_SERVICE)),
    floor_bound: { ...sharesOf(bound), formats: byFormat(bound), held_by: heldBy(bound) },
    outcomes: countBy(results, ({ outcome, reason }) =>
      reason === '' ? outcome : `${outcome} ${reason.split(':')[0]}`,
    ),
    causes: causesOf(done),
    duration_ms: Math.round(results.reduce((sum, { durationMs }) => sum + durationMs, 0)),
  };
}

function sharesOf(results: readonly WindowResult[]): Shares {
  const fates = results.flatMap((result) => result.fates);
  return {
    windows: results.length,
    needed: fates.length,
    verbatim: ratio(fates.filter((fate) => fate.verbatim).length, fates.length),
    named: ratio(fates.filter((fate) => fate.named).length, fates.length),
    recallable: ratio(fates.filter((fate) => fate.recallable).length, fates.length),
    tokens_left: ratio(sum(results, 'tokensAfter'), sum(results, 'tokensBefore')),
  };
}

function byFormat(results: readonly WindowResult[]): Readonly<Record<string, Shares>> {
  const formats = [...new Set(results.map(({ format }) => format))].sort();
  return Object.fromEntries(
    formats.map((format) => [format, sharesOf(results.filter((result) => result.format === format))]),
  );
}

function heldBy(results: readonly WindowResult[]): Readonly<Record<string, number>> {
  const held = new Map<string, number>();
  for (const result of results) {
    for (const [key, tokens] of Object.entries(result.held)) held.set(key, (held.get(key) ?? 0) + tokens);
  }
  const all = [...held.values()].reduce((total, tokens) => total + tokens, 0);
  const largest = [...held].sort((a, b) => b[1] - a[1]).slice(0, CAUSES_SHOWN);
  return Object.fromEntries(largest.map(([key, tokens]) => [key, ratio(tokens, all) ?? 0]));
}

function causesOf(results: readonly WindowResult[]): SetupFigures['causes'] {
  const causes = new Map<string, { lost: number; unnamed: number; unrecallable: number }>();
  for (const fate of results.flatMap((result) => result.fates)) {
    if (fate.named) continue;
    const count = causes.get(fate.cause) ?? { lost: 0, unnamed: 0, unrecallable: 0 };
    if (fate.verbatim) count.unnamed += 1;
    else count.lost += 1;
    if (!fate.recallable) count.unrecallable += 1;
    causes.set(fate.cause, count);
  }
  return [...causes]
    .map(([cause, counts]) => ({ cause, ...counts }))
    .sort((a, b) => b.lost + b.unnamed - a.lost - a.unnamed)
    .slice(0, CAUSES_SHOWN);
}

export type PeerFigures = Pick<Shares, 'needed' | 'verbatim' | 'tokens_left'>;

export function peerFigures(results: readonly PeerResult[]): Readonly<Record<string, PeerFigures>> {
  const names = [...new Set(results.map(({ name }) => name))];
  return Object.fromEntries(
    names.map((name) => {
      const own = results.filter((result) => result.name === name);
      return [
        name,
        {
          needed: sum(own, 'needed'),
          verbatim: ratio(sum(own, 'verbatim'), sum(own, 'needed')),
          tokens_left: ratio(sum(own, 'tokensAfter'), sum(own, 'tokensBefore')),
        },
      ];
    }),
  );
}

/** The table: one line for each set-up and format, then the other ways of compacting. */
export function printTable(
  setups: Readonly<Record<string, SetupFigures>>,
  peers: Readonly<Record<string, PeerFigures>>,
): readonly string[] {
  const lines = [row(['set-up', 'format', 'windows', 'needed', 'verbatim', 'named', 'recallable', 'tokens left'])];
  for (const [setup, figures] of Object.entries(setups)) {
    lines.push(sharesRow(setup, 'all', figures));
    for (const [format, shares] of Object.entries(figures.formats)) lines.push(sharesRow('', format, shares));
    lines.push(sharesRow('', 'floor above the share', figures.floor_bound));
  }
  for (const [name, { needed, verbatim, tokens_left: left }] of Object.entries(peers)) {
    lines.push(row([name, 'all', '', String(needed), percent(verbatim), '', '', percent(left)]));
  }
  return lines;
}

function sharesRow(setup: string, format: string, shares: Shares): string {
  const { windows, needed, verbatim, named, recallable, tokens_left: left } = shares;
  return row([setup, format, windows, needed, percent(verbatim), percent(named), percent(recallable), percent(left)]);
}

const WIDTHS = [23, 24, 8, 8, 9, 9, 11, 11];

function row(cells: readonly (string | number)[]): string {
  return cells
    .map((cell, at) => (at < 2 ? String(cell).padEnd(WIDTHS[at] ?? 0) : String(cell).padStart(WIDTHS[at] ?? 0)))
    .join(' ')
    .trimEnd();
}

function percent(value: number | null): string {
  return value === null ? '-' : `${(value * 100).toFixed(1)} %`;
}

/** Why a window kept or lost what it did. */
export function explainWindow(result: WindowResult): readonly string[] {
  const { name, setup, outcome, reason, pack, tokensBefore, tokensAfter, budgetTokens, fates } = result;
  const lines = [
    `${name} ${setup}: ${outcome} ${reason}, ${tokensBefore} -> ${tokensAfter} tokens (share ${budgetTokens}), contracts ${pack}`,
  ];
  for (const { needed, verbatim, named, recallable, cause } of fates) {
    const fate = named ? 'kept' : verbatim ? 'kept without a name' : recallable ? 'recallable only' : 'LOST';
    lines.push(
      `  ${fate}: ${needed.valueClass} ${JSON.stringify(needed.value)} for ${needed.tool} ${needed.argument}, first in ` +
        `message ${needed.first} (${needed.firstRole})${cause === '' ? '' : `; ${cause}`}`,
    );
  }
  lines.push('  The window:', result.output);
  return lines;
}

function countBy<T>(items: readonly T[], key: (item: T) => string): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const item of items) counts[key(item)] = (counts[key(item)] ?? 0) + 1;
  return counts;
}

function sum<K extends string>(items: readonly Readonly<Record<K, number>>[], key: K): number {
  return items.reduce((total, item) => total + item[key], 0);
}

function ratio(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.round((part / whole) * 10_000) / 10_000;
}
