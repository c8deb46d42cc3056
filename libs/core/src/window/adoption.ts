import type { SessionState } from '../ports';
import { readPinnedBlock, type BlockReading } from '../render/block-seal';
import { BLOCK_ID } from '../render/pinned-block';
import type { ReadWindow } from './element';
import { alignWithManifest } from './identity';
import type { Manifest } from './manifest';

/**
 * What became of the pinned block that was handed out. `edited`: the part in its place is not what was handed out;
 * `stripped`: marks of a handed-out window are there, its block is not; `none`: no output was adopted.
 */
export type AdoptedBlock =
  { readonly kind: 'none' | 'stripped' } | { readonly kind: 'ours' | 'edited'; readonly part: number };

export interface Adoption {
  /** The newest pass whose output the window goes on from; undefined when no output was adopted. */
  readonly pass: number | undefined;
  readonly block: AdoptedBlock;
}

/**
 * What each part is as a pinned block. A genuine text is one only where a pass puts it: in the user's role, before the
 * model's first word. Anywhere else (a file that was read, a paste) it is content like any other.
 */
export function readBlocks(read: ReadWindow, sessionId: string, sealKey: string | Uint8Array): readonly BlockReading[] {
  let inPlace = true;
  return read.parts.map((part): BlockReading => {
    inPlace &&= part.role === 'system' || part.role === 'user';
    const block = readPinnedBlock(part.text, sessionId, sealKey);
    const standsHere = inPlace && part.role === 'user' && (part.native === undefined || part.givenId === BLOCK_ID);
    if (standsHere || block.kind === 'none') return block;
    return { kind: 'forged', namesSession: false };
  });
}

/**
 * Which pass the window goes on from. A block is handed out again while it says the same, so of the windows that had it
 * the one that explains most of this one counts. A block of long ago beside the marks of the last window was put there
 * by somebody else; a block that was edited in its place still marks the window, and so do marks whose block is gone.
 */
export function findAdoption(
  blocks: readonly BlockReading[],
  digests: readonly string[],
  session: SessionState,
): Adoption {
  const { handedOut, accepted, earlier } = session;
  const known = [handedOut, accepted, ...earlier].filter((manifest) => manifest !== undefined);
  const genuine = newestGenuine(blocks);
  if (genuine !== undefined) {
    const { part, pass } = genuine;
    const having = known.filter((manifest) => hasBlock(manifest, digests[part]));
    const from = best(digests, having);
    const replayed =
      handedOut !== undefined &&
      !having.includes(handedOut) &&
      (from === undefined ? showsAllMarks(handedOut, digests) : explains(handedOut, digests) > explains(from, digests));
    if (replayed) return { pass: handedOut.pass, block: { kind: 'edited', part } };
    return { pass: from?.pass ?? pass, block: { kind: 'ours', part } };
  }
  const marked = best(
    digests,
    known.filter((manifest) => manifest.pass > 0 && marksShown(manifest, digests) > 0),
  );
  if (marked === undefined) return { pass: undefined, block: { kind: 'none' } };
  const part = blocks.findIndex((block) => block.kind === 'forged' && block.namesSession);
  return { pass: marked.pass, block: part === -1 ? { kind: 'stripped' } : { kind: 'edited', part } };
}

function newestGenuine(blocks: readonly BlockReading[]): { readonly part: number; readonly pass: number } | undefined {
  let newest: { readonly part: number; readonly pass: number } | undefined;
  blocks.forEach((block, part) => {
    if (block.kind === 'ours' && block.pass > (newest?.pass ?? 0)) newest = { part, pass: block.pass };
  });
  return newest;
}

function hasBlock({ entries }: Manifest, digest: string | undefined): boolean {
  return entries.some((entry) => entry.rendered === 'block' && entry.digest === digest);
}

/** The manifest that explains most parts; of equal ones that of the newest pass. */
function best(digests: readonly string[], manifests: readonly Manifest[]): Manifest | undefined {
  let found: { readonly manifest: Manifest; readonly count: number } | undefined;
  for (const manifest of manifests) {
    const count = explains(manifest, digests);
    const isBetter =
      found === undefined || count > found.count || (count === found.count && manifest.pass > found.manifest.pass);
    if (isBetter) found = { manifest, count };
  }
  return found?.manifest;
}

function explains(manifest: Manifest, digests: readonly string[]): number {
  const aligned = alignWithManifest(digests, manifest);
  return aligned.reduce((sum, entry) => sum + (entry === undefined || entry.rendered === 'block' ? 0 : 1), 0);
}

function showsAllMarks(manifest: Manifest, digests: readonly string[]): boolean {
  const marks = marksOf(manifest);
  return marks.size > 0 && marksShown(manifest, digests) === marks.size;
}

function marksShown(manifest: Manifest, digests: readonly string[]): number {
  const shown = new Set(digests);
  return [...marksOf(manifest)].filter((digest) => shown.has(digest)).length;
}

/** Digests of what only a pass writes. */
function marksOf({ entries }: Manifest): ReadonlySet<string> {
  return new Set(
    entries.flatMap(({ digest, operation, rendered }) =>
      rendered === 'segment' || (operation !== undefined && rendered === undefined) ? [digest] : [],
    ),
  );
}
