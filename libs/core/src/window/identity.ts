import { sha256Hex } from '../digest';
import { canonicalArguments } from '../effects';
import { withoutHalfPairs } from '../formats/lone-surrogates';
import type { Part } from './element';
import type { Manifest, ManifestEntry } from './manifest';

/**
 * sha256 of what a part says: kind, role, tool, canonical arguments, text. Call ids stay out (providers repeat them),
 * and so does the JSON around the text (clients re-serialize). Provider formats replace half a surrogate pair, so it
 * counts as its replacement.
 */
export function elementDigest(part: Part): string {
  const words: readonly string[] = part.native
    ? ['native', part.role, nativeFlags(part), part.text]
    : part.call
      ? ['call', part.call.tool, withoutHalfPairs(canonicalArguments(part.call.args, part.call.argumentsText))]
      : [
          part.kind,
          part.role,
          part.result?.isError === true ? 'error' : '',
          withoutHalfPairs(part.text),
          withoutHalfPairs(part.attachment?.source ?? ''),
        ];
  return sha256Hex(JSON.stringify(words));
}

function nativeFlags(part: Part): string {
  const native = part.native;
  if (native === undefined) return '';
  return JSON.stringify([
    part.givenId,
    native.regenerable,
    native.idempotent,
    native.taskCritical,
    native.action ?? null,
    native.target ?? null,
    native.idempotencyKey ?? null,
    native.status ?? null,
  ]);
}

/**
 * Aligns digests with a manifest, in order: result[i] is the entry that part i is, or undefined for a new one. Equal
 * beginnings and ends are taken first, the rest by the longest common subsequence, so a call that was made again is a
 * new element and one that was merely sent again is not.
 */
export function alignWithManifest(
  digests: readonly string[],
  manifest: Manifest,
): readonly (ManifestEntry | undefined)[] {
  const entries = manifest.entries;
  const aligned: (ManifestEntry | undefined)[] = new Array<ManifestEntry | undefined>(digests.length).fill(undefined);
  let head = 0;
  while (head < digests.length && head < entries.length && digests[head] === entries[head]?.digest) {
    aligned[head] = entries[head];
    head += 1;
  }
  let digestEnd = digests.length;
  let entryEnd = entries.length;
  while (digestEnd > head && entryEnd > head && digests[digestEnd - 1] === entries[entryEnd - 1]?.digest) {
    digestEnd -= 1;
    entryEnd -= 1;
    aligned[digestEnd] = entries[entryEnd];
  }
  for (const [digestIndex, entryIndex] of longestCommonSubsequence(digests, entries, head, digestEnd, entryEnd)) {
    aligned[digestIndex] = entries[entryIndex];
  }
  return aligned;
}

/** At most this many places of one digest are tried: keeps windows of many equal lines linear. */
const CANDIDATES_PER_DIGEST = 64;

/** Hunt-Szymanski: longest increasing chain of matching positions, O(matches log n). */
function longestCommonSubsequence(
  digests: readonly string[],
  entries: readonly ManifestEntry[],
  start: number,
  digestEnd: number,
  entryEnd: number,
): readonly (readonly [number, number])[] {
  const places = new Map<string, number[]>();
  for (let index = start; index < entryEnd; index += 1) {
    const digest = entries[index]?.digest ?? '';
    const known = places.get(digest);
    if (known === undefined) places.set(digest, [index]);
    else if (known.length < CANDIDATES_PER_DIGEST) known.push(index);
  }
  interface Link {
    readonly digestIndex: number;
    readonly entryIndex: number;
    readonly before: Link | undefined;
  }
  const ends: Link[] = [];
  for (let digestIndex = start; digestIndex < digestEnd; digestIndex += 1) {
    const candidates = places.get(digests[digestIndex] ?? '');
    if (candidates === undefined) continue;
    for (let at = candidates.length - 1; at >= 0; at -= 1) {
      const entryIndex = candidates[at] ?? 0;
      let low = 0;
      let high = ends.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((ends[middle]?.entryIndex ?? 0) < entryIndex) low = middle + 1;
        else high = middle;
      }
      ends[low] = { digestIndex, entryIndex, before: low > 0 ? ends[low - 1] : undefined };
    }
  }
  const chain: (readonly [number, number])[] = [];
  for (let link = ends[ends.length - 1]; link !== undefined; link = link.before) {
    chain.push([link.digestIndex, link.entryIndex]);
  }
  return chain;
}

/** Of several manifests the one that explains most parts; the first wins a tie. */
export function bestAlignment(
  digests: readonly string[],
  manifests: readonly (Manifest | undefined)[],
): readonly (ManifestEntry | undefined)[] {
  let best: readonly (ManifestEntry | undefined)[] = new Array<undefined>(digests.length).fill(undefined);
  let bestCount = -1;
  for (const manifest of manifests) {
    if (manifest === undefined) continue;
    const aligned = alignWithManifest(digests, manifest);
    const count = aligned.reduce((sum, entry) => sum + (entry === undefined ? 0 : 1), 0);
    if (count > bestCount) {
      best = aligned;
      bestCount = count;
    }
    if (count === digests.length) break;
  }
  return best;
}
