const WORD = /[\p{L}\p{N}_]/u;

/** Offsets at which a value stands in a text as a whole token: no letter or digit goes on at either end. */
export function* wholeTokens(text: string, value: string): Generator<number> {
  if (value === '') return;
  const opensWord = WORD.test(characterAt(value, 0));
  const closesWord = WORD.test(characterBefore(value, value.length));
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + 1)) {
    const end = at + value.length;
    if (opensWord && at > 0 && WORD.test(characterBefore(text, at))) continue;
    if (closesWord && end < text.length && WORD.test(characterAt(text, end))) continue;
    yield at;
  }
}

/** Whether a value stands in a text as a whole token. */
export function hasWhole(text: string, value: string): boolean {
  return wholeTokens(text, value).next().done !== true;
}

function characterAt(text: string, at: number): string {
  return String.fromCodePoint(text.codePointAt(at) ?? 0);
}

function characterBefore(text: string, at: number): string {
  const unit = text.charCodeAt(at - 1);
  return unit >= 0xdc00 && unit <= 0xdfff && at > 1 ? characterAt(text, at - 2) : text.charAt(at - 1);
}
