import { base32Digest, sha256Hex } from '../digest';

/** Characters of a handle behind `h_`: 50 bits, so that two originals of a session do not share one, and still short. */
const HANDLE_CHARACTERS = 10;
/** Room for a whole path; a label that had to be cut ends at a blank, so that no name is ever shown in part. */
const LABEL_CHARACTERS = 200;

/** Handle of an original: the same content in the same session always has the same one. */
export function deriveHandle(sessionId: string, sha256: string): string {
  return `h_${base32Digest(`${sessionId}\n${sha256}`, HANDLE_CHARACTERS)}`;
}

/** `[recall h_...]`, the only shape in which a window shows a handle. */
export function recallMark(handle: string): string {
  return `[recall ${handle}]`;
}

const RECALL_MARK = /\[(?:[^[\]\n]{0,400}?[ ;])?recall (h_[0-9a-z]{6,32})\]/gu;

/** Every handle that a text shows in a mark, in order, without repeats. */
export function shownHandles(text: string): readonly string[] {
  const handles = new Set<string>();
  for (const match of text.matchAll(RECALL_MARK)) {
    if (match[1] !== undefined) handles.add(match[1]);
  }
  return [...handles];
}

export interface EvictedFacts {
  /** What it was: `get_order W1234`. */
  readonly label: string;
  readonly tokens: number;
  /** How it can be had again besides recall, or why it is not needed (`read again`, `a later read shows it`). */
  readonly wayBack: string;
  readonly handle: string | undefined;
}

/** The sign of words of the model's that left: nobody needs them, so the mark is as short as can be. */
export function wordsMark(tokens: number, handle: string): string {
  return `[${tokens} tokens of yours: recall ${handle}]`;
}

/** The visible sign of an evicted element. */
export function tombstone(facts: EvictedFacts): string {
  const handle = facts.handle === undefined ? '' : ` ${recallMark(facts.handle)}`;
  return `[evicted: ${oneLine(facts.label)}, ${facts.tokens} tokens; ${facts.wayBack}${handle}]`;
}

/**
 * One line of at most `limit` characters, cut at a blank: a shortened identifier would read like a real one. A first
 * word that is longer by itself stays whole up to twice the limit.
 */
export function oneLine(text: string, limit = LABEL_CHARACTERS): string {
  const flat = text.replace(/\s+/gu, ' ').trim();
  if (flat.length <= limit) return flat;
  const cut = flat.lastIndexOf(' ', limit - 2);
  if (cut > 0) return `${flat.slice(0, cut)} …`;
  const first = flat.split(' ', 1)[0] ?? '';
  if (first.length > limit * 2) return '…';
  return first === flat ? flat : `${first} …`;
}

/** sha256 of the text that an original holds. */
export function originalDigest(text: string): string {
  return sha256Hex(text);
}
