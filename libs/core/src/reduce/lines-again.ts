import type { ReducedResult } from './reduction';
import { stripTerminalCodes } from './terminal-codes';

/** Shorter lines (braces, rules, blanks) repeat everywhere and say nothing of their own. */
const SHORTEST_LINE = 20;
/** Stands where lines left. */
const GAP = '…';
/** The text has at most this share of the characters, or the loss does not pay. */
const LARGEST_WORTHWHILE_SHARE = 0.8;

/** The lines of a text that are worth looking for elsewhere. */
export function tellingLines(text: string): readonly string[] {
  return stripTerminalCodes(text)
    .split('\n')
    .filter((line) => line.trim().length >= SHORTEST_LINE);
}

/**
 * A text without the lines that it said before or that come again later in the window; the first line says so. Lines
 * that stay are verbatim, without terminal codes. Undefined where that would not be at least 20 % shorter.
 */
export function withoutLinesAgain(
  text: string,
  comesAgain: (line: string) => boolean,
  recallMark: string,
): ReducedResult | undefined {
  const lines = stripTerminalCodes(text).split('\n');
  const said = new Set<string>();
  const body: string[] = [];
  let stays = true;
  let count = 0;
  for (const line of lines) {
    // A short line goes with the one above it.
    if (line.trim().length >= SHORTEST_LINE) stays = !said.has(line) && !comesAgain(line);
    if (stays) {
      said.add(line);
      body.push(line);
      count += 1;
    } else if (body[body.length - 1] !== GAP) body.push(GAP);
  }
  const total = String(lines.length);
  const way = recallMark.replace(/^\[(.*)\]$/, '$1');
  const note =
    count === 0
      ? `[all of it comes again below; ${way}]`
      : `[${String(count)} of ${total} lines, without what was said above or came again later; ${way}]`;
  const reduced = count === 0 ? note : [note, ...body].join('\n');
  if (reduced.length > LARGEST_WORTHWHILE_SHARE * text.length) return undefined;
  return { text: reduced, leftOut: `${String(lines.length - count)} of ${total} lines` };
}
