const words = (list: string): ReadonlySet<string> => new Set(list.split(' '));

const FUNCTION_WORDS = words(
  'the a an and or of to in on at for with by from as is are was were be been being it its this that these those there here i you he she we they me him her us them my your his our their ' +
    'who what which when where why how do does did done has have had will would can could should may might must shall not no nor so if then than too very just also only any all some each every ' +
    'into onto over under up down out off about please want wants wanted like need needs let make sure without within before after until never always prefer prefers preferred available option options really also able possible help know look looking actually currently current thing things',
);
/** Words that all say that something stays as it is. */
const UNCHANGED = words(
  'same keep keeps keeping kept unchanged retain retains retained stay stays staying unaltered preserve preserved',
);
const ENDINGS = /(?:ations?|ments?|ings?|ies|ied|edly|ed|es|ly|s|e|y)$/;

/** What a text is about: its words without function words and endings, numbers included, each once. */
export function contentStems(text: string): readonly string[] {
  const stems = new Set<string>();
  for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{N}]+(?:'\p{L}+)?/gu)) {
    if (FUNCTION_WORDS.has(word) || (word.length < 2 && !/\d/.test(word)) || /n't$/.test(word)) continue;
    stems.add(stemOf(word));
  }
  return [...stems];
}

/** A word without its ending, so that `cancelled`, `cancelling` and `cancel` are one. */
export function stemOf(word: string): string {
  const lower = word.toLowerCase();
  if (UNCHANGED.has(lower)) return 'same';
  if (/\d/.test(lower) || lower.length < 4) return lower;
  const stem = lower.replace(/pl(?:y|ies|ied|ying)$/, 'pl').replace(ENDINGS, '');
  const bare = stem.length < 3 ? lower : stem;
  return bare.length > 3 ? bare.replace(/([b-df-hj-np-tv-z])\1$/, '$1') : bare;
}

/** How many of the first stems stand among the second, forms of one word counted as the same. */
export function sharedStems(wanted: readonly string[], given: readonly string[]): number {
  return wanted.filter((stem) => given.some((other) => isAlike(stem, other))).length;
}

function isAlike(left: string, right: string): boolean {
  if (left === right) return true;
  if (/\d/.test(left)) return false;
  if (left.length === 3 || right.length === 3) return left.startsWith(right) || right.startsWith(left);
  if (left.length < 4 || right.length < 4) return false;
  const shorter = Math.min(left.length, right.length);
  return left.slice(0, Math.max(4, shorter - 1)) === right.slice(0, Math.max(4, shorter - 1));
}
