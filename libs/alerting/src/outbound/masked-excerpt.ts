/** What is read of an answer before the connection is closed, and what of it is kept. */
export const MOST_RESPONSE_BYTES = 65_536;
const MOST_EXCERPT_BYTES = 4_096;

const SHORTEST_SECRET = 6;
const SHORTEST_PATH_SECRET = 12;
const MASK = '[secret]';

/** The parts of a URL that may be a token: the whole of it, its path, its long path segments, its query values. */
export function secretsOfUrl(url: URL): string[] {
  const segments = url.pathname.split('/').filter((segment) => segment.length >= SHORTEST_PATH_SECRET);
  const path = url.pathname.length >= SHORTEST_PATH_SECRET ? [url.pathname] : [];
  const query = url.search === '' ? [] : [url.search, ...url.searchParams.values()];
  return [url.href, `${url.pathname}${url.search}`, ...path, ...query, ...segments].filter((part) => part !== '/');
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The forms in which an answer may say a secret back: as it is, percent-encoded or decoded, in JSON, in HTML. */
function spellings(secret: string): string[] {
  const decoded = percentDecoded(secret);
  const forms = [
    secret,
    decoded,
    encodeURIComponent(secret.toWellFormed()),
    encodeURIComponent(decoded.toWellFormed()),
  ];
  const inJson = forms.map((form) => JSON.stringify(form).slice(1, -1));
  const slashed = inJson.map((form) => form.replaceAll('/', '\\/'));
  const inHtml = forms.map((form) => form.replaceAll('&', '&amp;'));
  return [...forms, ...inJson, ...slashed, ...inHtml];
}

function orderedSpellings(secrets: readonly string[]): string[] {
  const all = secrets.filter((secret) => secret.length >= SHORTEST_SECRET).flatMap(spellings);
  return [...new Set(all)].sort((a, b) => b.length - a.length);
}

/** Control characters are no text; NUL cannot be stored as text at all. */
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;

function cutToBytes(text: string, mostBytes: number): string {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= mostBytes) return text;
  // A sequence that the cut splits decodes to the replacement character, which goes.
  return new TextDecoder().decode(bytes.subarray(0, mostBytes)).replace(/\ufffd+$/, '');
}

/**
 * The start of an answer as it may be stored and shown: at most 4 KB, secrets masked.
 * @param isWhole false when `body` is only the start of the answer, so that its end may be the start of a secret.
 */
export function maskedExcerpt(body: Uint8Array, secrets: readonly string[], isWhole: boolean): string {
  const masked = orderedSpellings(secrets);
  let text = new TextDecoder().decode(body);
  for (const spelling of masked) text = text.replaceAll(spelling, MASK);
  // The start of a secret at the end is told by no search: what could be one goes.
  if (!isWhole) text = text.slice(0, Math.max(0, text.length - (masked[0]?.length ?? 0)));
  return cutToBytes(text.replace(CONTROLS, '\ufffd').toWellFormed(), MOST_EXCERPT_BYTES);
}
