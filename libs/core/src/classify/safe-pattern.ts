/** Longest pattern that a contract may bring, in characters. */
export const MAX_PATTERN_CHARS = 200;
/** Longest text that a pattern is run on: beyond it, the head and the tail of the text joined. */
const MAX_MATCHED_CHARS = 16_000;
/** More than a line pattern needs, few enough that backtracking stays polynomial of low degree. */
const MAX_UNBOUNDED = 4;

export type SafePattern =
  | { readonly kind: 'pattern'; readonly test: (text: string) => boolean }
  | { readonly kind: 'unsafe'; readonly reason: string };

/**
 * Compiles a regular expression of an owner so that no text can make it run for long.
 *
 * Accepted: flags `u`, at most 200 characters, no look-around, no backreference, no quantified group that holds a
 * quantifier or an alternative, at most four unbounded quantifiers of which one on a wide atom (`.`, `[^x]`, `\S`).
 * A text above 16,000 characters is matched as its head and its tail.
 */
export function compilePattern(source: string): SafePattern {
  if (source.length > MAX_PATTERN_CHARS) return unsafe(`longer than ${String(MAX_PATTERN_CHARS)} characters`);
  const reason = findHazard(source);
  if (reason !== undefined) return unsafe(reason);
  try {
    const pattern = new RegExp(source, 'u');
    return { kind: 'pattern', test: (text) => pattern.test(matchedPart(text)) };
  } catch (error) {
    return unsafe(error instanceof Error ? error.message : 'not a regular expression');
  }
}

function unsafe(reason: string): SafePattern {
  return { kind: 'unsafe', reason };
}

function matchedPart(text: string): string {
  if (text.length <= MAX_MATCHED_CHARS) return text;
  const half = MAX_MATCHED_CHARS / 2;
  return `${text.slice(0, half)}\n${text.slice(-half)}`;
}

interface OpenGroup {
  /** Holds a quantifier or an alternative: repeating it can backtrack exponentially. */
  branches: boolean;
}

const TOKEN =
  /\\k<|\\[1-9]|\(\?<?[=!]|\(\?<[^>]*>|\(\?:|\(|\)|\||\[(?:\\.|[^\]\\])*\]|\\[pPu]\{[^}]*\}|\\.|[*+?]\??|\{\d+(?:,\d*)?\}\??|[\s\S]/gu;

function findHazard(source: string): string | undefined {
  const groups: OpenGroup[] = [{ branches: false }];
  let closed: OpenGroup | undefined;
  let atom = '';
  let unbounded = 0;
  let wide = 0;
  for (const [token] of source.matchAll(TOKEN)) {
    const group = groups.at(-1);
    if (group === undefined) return 'a group that is never opened';
    if (/^(?:\\k<|\\[1-9])/u.test(token)) return 'a backreference';
    if (/^\(\?<?[=!]/u.test(token)) return 'look-around';
    const quantifier = /^(?:[*+?]|\{\d)/u.test(token);
    if (quantifier) {
      const repeats = !token.startsWith('?');
      if (repeats && closed?.branches === true) return 'a repeated group that holds a quantifier or an alternative';
      if (/^(?:[*+]|\{\d+,\})/u.test(token)) {
        unbounded += 1;
        if (/^(?:\.|\[\^|\\[SDW])/u.test(atom)) wide += 1;
      }
      for (const open of groups) open.branches = true;
    } else if (token.startsWith('(')) {
      groups.push({ branches: false });
    } else if (token === '|') {
      for (const open of groups) open.branches = true;
    }
    closed = token === ')' ? groups.pop() : undefined;
    atom = token;
  }
  if (unbounded > MAX_UNBOUNDED) return `more than ${String(MAX_UNBOUNDED)} unbounded quantifiers`;
  return wide > 1 ? 'more than one unbounded quantifier on a wide atom' : undefined;
}
