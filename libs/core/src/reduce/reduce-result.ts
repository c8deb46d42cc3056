import { reduceJson } from './reduce-json';
import { reduceLines } from './reduce-lines';
import type { ReducedResult, ReduceOptions } from './reduction';
import { parseContainer, repackKindOf } from './repack';

/** A reduced text has at most this share of the characters, or the loss does not pay. */
const LARGEST_WORTHWHILE_SHARE = 0.8;

/**
 * Shrinks one result. JSON loses leaves and subtrees and stays JSON, with a `_holdfast` member that names what is
 * missing; other text loses lines, with a first line that counts them. Needed and declared values stay, then short
 * scalars that are critical fields, scarce ones first, as far as the allowance goes.
 *
 * Undefined where the result would not be at least 20 % shorter.
 */
export function reduceResult(text: string, options: ReduceOptions): ReducedResult | undefined {
  if (repackKindOf(text) !== undefined) return undefined;
  const root = parseContainer(text);
  const reduced = root === undefined ? reduceLines(text, options) : reduceJson(text, root, options);
  if (reduced === undefined || reduced.text.length > LARGEST_WORTHWHILE_SHARE * text.length) return undefined;
  return reduced;
}
