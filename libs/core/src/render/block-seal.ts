import { base32Digest, hmacSha256Hex } from '../digest';

/** Facts of a block that are part of its seal: content cannot forge it or replay it in another place. */
export interface BlockPlace {
  readonly sessionId: string;
  /** Number of the pass that hands it out. */
  readonly pass: number;
  /** Secret of the tenant; text or bytes. */
  readonly sealKey: string | Uint8Array;
  /** The genuine block that the window came with: handed out again, seal and all, while it says the same. */
  readonly standing?: string | undefined;
}

const SEAL_CHARACTERS = 16;
const SESSION_TAG_CHARACTERS = 6;
const OPENING = /^<holdfast session="([^"\n]{1,200})">\n/u;
/** What changes from pass to pass stands last: a prompt cache keeps what is in front of it. */
const CLOSING = /\npass ([0-9]{1,9}), seal ([0-9a-f]{16})\n<\/holdfast>$/u;
const LONGEST_CLOSING = 64;

/** A body as the block that its pass hands out; what stands already is handed out again while it says the same. */
export function sealedBlock(place: BlockPlace, body: string): string {
  const standing = place.standing === undefined ? undefined : takeApart(place.standing);
  if (place.standing !== undefined && standing?.body === body) return place.standing;
  const opening = `<holdfast session="${sessionTag(place.sessionId)}">\n`;
  return `${opening}${body}\npass ${place.pass}, seal ${sealOf(place, body)}\n</holdfast>`;
}

/** A session's name in its windows: short, since every pass pays for it; the seal covers the whole id. */
function sessionTag(sessionId: string): string {
  return base32Digest(sessionId, SESSION_TAG_CHARACTERS);
}

function sealOf(place: BlockPlace, body: string): string {
  const signed = JSON.stringify(['holdfast/block/2', place.sessionId, place.pass, 'after system messages', body]);
  return hmacSha256Hex(place.sealKey, signed).slice(0, SEAL_CHARACTERS);
}

/** What a text that begins like a pinned block turns out to be. */
export type BlockReading =
  | { readonly kind: 'none' }
  /** Sealed by us for this session, by that pass; later ones may have handed it out again. */
  | { readonly kind: 'ours'; readonly pass: number }
  /** Looks like a block, but is none here: edited, forged, or taken from another session or place. */
  | { readonly kind: 'forged'; readonly namesSession: boolean };

/** Reads a text as a pinned block of this session. */
export function readPinnedBlock(text: string, sessionId: string, sealKey: string | Uint8Array): BlockReading {
  const parts = takeApart(text);
  if (parts === undefined) return { kind: 'none' };
  const { session, body, pass, seal } = parts;
  const namesSession = session === sessionTag(sessionId);
  const genuine = namesSession && pass !== undefined && seal === sealOf({ sessionId, pass, sealKey }, body);
  return genuine ? { kind: 'ours', pass } : { kind: 'forged', namesSession };
}

interface BlockText {
  readonly session: string;
  readonly body: string;
  /** Undefined where the last lines are not those of a block. */
  readonly pass: number | undefined;
  readonly seal: string;
}

function takeApart(text: string): BlockText | undefined {
  const opening = OPENING.exec(text);
  if (opening === null) return undefined;
  const closing = CLOSING.exec(text.slice(-LONGEST_CLOSING));
  const end = text.length - (closing?.[0].length ?? 0);
  return {
    session: opening[1] ?? '',
    body: text.slice(opening[0].length, end),
    pass: closing === null ? undefined : Number(closing[1]),
    seal: closing?.[2] ?? '',
  };
}
