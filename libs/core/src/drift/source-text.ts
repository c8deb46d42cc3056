import type { DriftOrigin, DriftSource } from './drift-finding';

/** All sources as one text, and the way back from an offset in it. */
export interface SourceText {
  /** What is searched: as long as the sources themselves, escapes of JSON strings and scripts without spaces blanked. */
  readonly text: string;
  readonly originAt: (start: number, end: number) => DriftOrigin | null;
}

/** The signs of a date are left as they are. */
const UNSPACED_SCRIPT =
  /(?![年月日])[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/gu;
const TERMINAL_CODE = /\u001b\[[\d;]*[A-Za-z]/g;
const JSON_ESCAPE = /\\[ntr"]/g;
const LINE_END = '\\n';
const LOOKS_LIKE_JSON = /^\s*(?:[\w.-]+\s*)?[[{]/;

/** Puts the sources one below the other. */
export function joinSources(sources: readonly DriftSource[]): SourceText {
  const starts: number[] = [];
  const pieces: string[] = [];
  let length = 0;
  for (const { text } of sources) {
    starts.push(length);
    const isEscaped = LOOKS_LIKE_JSON.test(text.slice(0, 200)) && text.includes('\\');
    pieces.push(
      withoutUnspacedScripts(
        isEscaped ? text.replace(JSON_ESCAPE, (escape) => (escape === LINE_END ? ' \n' : '  ')) : text,
      ),
    );
    length += text.length + 1;
  }
  return {
    text: pieces.join('\n'),
    originAt(start, end) {
      const at = lastAtOrBefore(starts, start);
      const source = sources[at];
      const offset = starts[at];
      if (source === undefined || offset === undefined) return null;
      return { elementId: source.id, start: start - offset, end: end - offset };
    },
  };
}

/**
 * The text with blanks where a script without spaces or a terminal code stands, at the same offsets: a value between such characters is
 * a token of its own.
 */
export function withoutUnspacedScripts(text: string): string {
  const blank = (found: string): string => ' '.repeat(found.length);
  const plain = text.includes('\u001b') ? text.replace(TERMINAL_CODE, blank) : text;
  return plain.replace(UNSPACED_SCRIPT, blank);
}

function lastAtOrBefore(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}
