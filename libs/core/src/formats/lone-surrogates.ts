/** U+FFFD, which stands visibly for half of a surrogate pair. */
const REPLACEMENT = '\ufffd';
const LONE_SURROGATE = /\p{Surrogate}/gu;
/** One escape of a JSON string, or a surrogate that stands unescaped. */
const ESCAPE_OR_SURROGATE = /\\(?:u[0-9a-fA-F]{4}|[^u])|[\ud800-\udfff]/g;
const MAYBE_SURROGATE = /\\u[dD][89a-fA-F]|[\ud800-\udfff]/;

/** The text with each lone surrogate replaced by U+FFFD; pairs and all else stay. */
export function replaceLoneSurrogates(text: string): string {
  return text.replace(LONE_SURROGATE, REPLACEMENT);
}

/**
 * The text for comparing what was sent with what a provider format hands out: U+FFFD for each lone surrogate, also in
 * parts that are JSON, where either may stand as an escape.
 */
export function withoutHalfPairs(text: string): string {
  return replaceLoneSurrogatesInJson(replaceLoneSurrogates(text)).replaceAll('\\ufffd', REPLACEMENT);
}

/**
 * The JSON text with each lone surrogate in its strings, escaped or not, replaced by `\ufffd` (or the character itself).
 * Everything else stays as it is, NUL and all other escapes included. Providers reject half a pair.
 */
export function replaceLoneSurrogatesInJson(json: string): string {
  if (!MAYBE_SURROGATE.test(json)) return json;
  const pieces: string[] = [];
  let copied = 0;
  let high: { start: number; end: number } | undefined;
  const replaceUnit = (unit: { start: number; end: number }): void => {
    pieces.push(json.slice(copied, unit.start), unit.end - unit.start === 1 ? REPLACEMENT : '\\ufffd');
    copied = unit.end;
  };
  for (const match of json.matchAll(ESCAPE_OR_SURROGATE)) {
    const code = codeUnit(match[0]);
    const unit = { start: match.index, end: match.index + match[0].length };
    const isLow = code >= 0xdc00 && code <= 0xdfff;
    const isPair = isLow && high?.end === unit.start;
    if (high !== undefined && !isPair) replaceUnit(high);
    high = code >= 0xd800 && code <= 0xdbff ? unit : undefined;
    if (isLow && !isPair) replaceUnit(unit);
  }
  if (high !== undefined) replaceUnit(high);
  pieces.push(json.slice(copied));
  return pieces.join('');
}

function codeUnit(token: string): number {
  if (token.length === 1) return token.charCodeAt(0);
  return token.length === 6 ? Number.parseInt(token.slice(2), 16) : 0;
}
