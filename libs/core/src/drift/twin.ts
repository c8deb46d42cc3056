import type { FieldKind } from '../seal';
import type { AlignedField } from './alignment';
import { editDistance } from './edit-distance';
import type { KnownValue, SourceIndex } from './source-index';

/** A value of the sources that a literal is most likely a variant of. */
export interface Twin {
  readonly value: string;
  readonly at: number;
  readonly distance: number;
}

/** Kinds that a value of one kind may have come from. */
const RELATED: Readonly<Record<FieldKind, readonly FieldKind[]>> = {
  number: ['number', 'amount'],
  amount: ['amount', 'number'],
  identifier: ['identifier', 'name', 'hash', 'email', 'version'],
  name: ['name', 'identifier', 'path', 'flag'],
  hash: ['hash', 'identifier', 'number'],
  version: ['version', 'number', 'identifier'],
  path: ['path', 'url', 'name'],
  url: ['url', 'path', 'name'],
  email: ['email'],
  date: ['date'],
  flag: ['flag'],
};

/** Comparing more candidates takes longer than the answer is worth. */
const MAX_COMPARED = 4_000;
const MAX_LENGTH = 300;
/** Share of the characters that may differ for one value to be a variant of another. */
const VARIANT_SHARE = 0.4;

const PARTED = /[/@:]/;
const PIECES = new WeakMap<SourceIndex, readonly KnownValue[]>();

/** Names inside longer ones: the host of an address, the last part of `a::b::c`. */
function piecesOf(index: SourceIndex): readonly KnownValue[] {
  const known = PIECES.get(index);
  if (known !== undefined) return known;
  const pieces: KnownValue[] = [];
  for (const { kind, value, at } of index.values) {
    if (pieces.length >= MAX_COMPARED) break;
    if (value.length > MAX_LENGTH || !PARTED.test(value)) continue;
    for (const match of value.matchAll(/[^/@:?&=#]{5,80}/g)) {
      const offset = (at[0] ?? 0) + match.index;
      if (!/^\d+$/.test(match[0])) pieces.push({ kind, value: match[0], at: [offset] });
    }
  }
  PIECES.set(index, pieces);
  return pieces;
}

export function relatedKinds(kind: FieldKind): readonly FieldKind[] {
  return RELATED[kind];
}

/**
 * The value of the sources that comes nearest to a literal. Of equally near ones that which stands in the same words
 * wins, so that near twins are not confused.
 */
export function nearestTwin(
  value: string,
  kind: FieldKind,
  index: SourceIndex,
  aligned: readonly AlignedField[],
): Twin | undefined {
  if (value.length > MAX_LENGTH) return undefined;
  const scores = new Map<string, number>();
  for (const { field, before, after } of aligned) {
    scores.set(field.value, Math.max(scores.get(field.value) ?? 0, before + after));
  }
  let nearest: Twin | undefined;
  let nearestScore = -1;
  let limit = Math.max(1, Math.floor(value.length * VARIANT_SHARE));
  const known = RELATED[kind].flatMap((related) => index.byKind(related)).slice(0, MAX_COMPARED);
  const isPlain = !PARTED.test(value);
  const candidates = isPlain ? [...known, ...piecesOf(index)] : known;
  for (const candidate of candidates) {
    if (candidate.value === value || Math.abs(candidate.value.length - value.length) > limit) continue;
    const distance = editDistance(value, candidate.value, limit);
    if (distance > limit) continue;
    const score = scores.get(candidate.value) ?? 0;
    if (nearest !== undefined && distance === limit && score <= nearestScore) continue;
    nearest = { value: candidate.value, at: candidate.at[0] ?? -1, distance };
    nearestScore = score;
    limit = distance;
  }
  return nearest;
}
