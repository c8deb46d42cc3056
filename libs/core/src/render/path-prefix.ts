/** A prefix shorter than this, or one that saves less, is not worth a line of its own. */
const MIN_PREFIX_CHARS = 16;
const MIN_SAVED_CHARS = 60;
/** Targets are cut long before; deeper paths are noise. */
const MAX_DEPTH = 24;

const DIRECTORY = /(?<![\w./~:-])(?:\/[\w.@+-]{1,100}){2,24}/gu;
/** `W` by itself already says something else. */
const TAKEN = /(?<![\w./~-])W(?![\w.-])/u;
const DEFINITION = /^W = (\/\S+)$/mu;

export interface ShortLines {
  /** `W = /long/path`; undefined where no prefix pays. */
  readonly definition: string | undefined;
  readonly lines: readonly string[];
}

/** Writes the directory that most of the lines share as `W`, where that pays; reading it back is exact. */
export function shortenPaths(lines: readonly string[]): ShortLines {
  const prefix = lines.some((line) => TAKEN.test(line)) ? undefined : sharedPrefix(lines);
  if (prefix === undefined) return { definition: undefined, lines };
  return { definition: `W = ${prefix}`, lines: lines.map((line) => line.replaceAll(occurrences(prefix), 'W')) };
}

/** The prefix that a text defines. */
export function readPathPrefix(text: string): string | undefined {
  return DEFINITION.exec(text)?.[1];
}

/** A line with its `W` written out. */
export function lengthenPaths(line: string, prefix: string | undefined): string {
  return prefix === undefined ? line : line.replaceAll(new RegExp(TAKEN.source, 'gu'), () => prefix);
}

function sharedPrefix(lines: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const line of lines) {
    for (const [path] of line.matchAll(DIRECTORY)) {
      const names = path.split('/').slice(1, MAX_DEPTH);
      let prefix = '';
      for (const name of names) {
        prefix += `/${name}`;
        counts.set(prefix, (counts.get(prefix) ?? 0) + 1);
      }
    }
  }
  let best: string | undefined;
  let most = MIN_SAVED_CHARS - 1;
  for (const [prefix, count] of counts) {
    const saved = (count - 1) * (prefix.length - 1) - 4;
    if (count < 2 || prefix.length < MIN_PREFIX_CHARS || saved <= most) continue;
    best = prefix;
    most = saved;
  }
  return best;
}

function occurrences(prefix: string): RegExp {
  const escaped = prefix.replaceAll(/[.+]/gu, '\\$&');
  return new RegExp(`(?<![\\w./~:-])${escaped}(?![\\w.@+-])`, 'gu');
}
