import { editDistance } from './edit-distance';
import type { LiteralDrift } from './literal-drift';
import type { SourceIndex } from './source-index';
import { wordIndexAt, wordsOf, type Word } from './words';

/** A capitalised word of the summary with a near twin among the names of the sources. */
export interface NameFinding {
  readonly start: number;
  readonly end: number;
  readonly drift: LiteralDrift;
}

const CAPITALISED = /(?<![\p{L}\p{N}_])\p{Lu}[\p{Ll}\p{M}]{2,24}(?![\p{L}\p{N}_])/gu;
const MIXED_SCRIPT =
  /(?=[\p{L}\p{N}]*[A-Za-z])(?=[\p{L}\p{N}]*[\p{Script=Cyrillic}\p{Script=Greek}])[\p{L}\p{N}]{2,40}/gu;
/** Endings that make another form of the same word. */
const INFLECTIONS = ['s', 'es', 'ed', 'd', 'ing', 'er', 'n', 'en', 'e', 'r', 'ly', 'al', 'y'];
const MAX_NAMES = 3_000;
/** Short words that are written with a capital and are nobody's name. */
const SHORT_WORDS = new Set(
  'The Its His Her She And But Not Now New Old One Two Six Ten Any All Our You Can May Jan Feb Mar Apr Jun Jul Aug Sep Oct Nov Dec Mon Tue Wed Thu Fri Sat Sun Der Die Das Des Dem Den Ein Und Les Des Une Los Las Una Che Yes Who Why How'.split(
    ' ',
  ),
);

/** Letters of other scripts that look like Latin ones. */
const LOOKALIKES: ReadonlyMap<string, string> = new Map(
  [...'аaеeоoрpсcуyхxіiјjѕsԁdһhАAВBЕEКKМMНHОOРPСCТTХXІIЈJЅSΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧXοoνv'.matchAll(/../gu)].map(
    ([pair]) => [pair.charAt(0), pair.charAt(1)],
  ),
);

/**
 * Plain names that are a letter or two away from one of the sources, and words in which a letter of another script
 * stands for a Latin one. A name that no source resembles is no drift: whoever knows that ATL is Atlanta may say so.
 */
export function findNameTwins(summary: string, index: SourceIndex): readonly NameFinding[] {
  const found: NameFinding[] = [];
  for (const match of summary.matchAll(MIXED_SCRIPT)) {
    const latin = [...match[0]].map((character) => LOOKALIKES.get(character) ?? character).join('');
    const at = latin === match[0] || index.find(match[0], 'part') !== -1 ? -1 : index.find(latin, 'part');
    if (at !== -1) found.push(finding(match.index, match[0], latin, at));
  }
  let names: ReadonlyMap<string, number> | undefined;
  let words: readonly Word[] | undefined;
  for (const match of summary.matchAll(CAPITALISED)) {
    const word = match[0];
    if (index.wordAt(word.toLowerCase()).length > 0) continue;
    names ??= namesOf(index);
    const isFirst = startsSentence(summary, match.index);
    words ??= wordsOf(summary);
    const twin =
      twinOf(word, names, index, isFirst) ??
      nameInPlace(match.index + word.length, words, names, index) ??
      nameBesideKnown(word, match.index, words, names, index);
    if (twin !== undefined) found.push(finding(match.index, word, twin, names.get(twin) ?? -1));
  }
  return found;
}

function finding(start: number, word: string, expected: string, at: number): NameFinding {
  return { start, end: start + word.length, drift: { kind: 'name_changed', expected, at } };
}

/** Words that the sources write with a capital only, and inside a line at least once. */
function namesOf(index: SourceIndex): ReadonlyMap<string, number> {
  const names = new Map<string, number>();
  const counts = new Map<string, number>();
  for (const match of index.text.matchAll(CAPITALISED)) {
    const word = match[0];
    counts.set(word, (counts.get(word) ?? 0) + 1);
    const before = index.text.charAt(match.index - 1);
    const isInside = before === '"' || before === "'" || !startsSentence(index.text, match.index);
    if (!names.has(word) && names.size < MAX_NAMES && isInside) {
      names.set(word, match.index);
    }
  }
  for (const [word] of names) {
    const places = index.wordAt(word.toLowerCase());
    if (places.length <= (counts.get(word) ?? 0)) continue;
    const plain = places.filter((place) => !isPieceOfId(index, place)).length;
    if (plain > (counts.get(word) ?? 0)) names.delete(word);
  }
  return names;
}

/** `K. Lee`: the point belongs to the name. */
const INITIAL = /(?:^|[^\p{L}])\p{Lu}\.\s?$/u;

/** Whether a word is a piece of an id or address, such as `lee` in `ann_lee_4410`. */
function isPieceOfId(index: SourceIndex, place: number): boolean {
  const word = index.words[place];
  if (word === undefined) return false;
  return /[_@.-]/.test(index.text.charAt(word.start - 1)) || /[_@]/.test(index.text.charAt(word.end));
}

function startsSentence(text: string, offset: number): boolean {
  const near = text.slice(Math.max(0, offset - 12), offset);
  if (INITIAL.test(near)) return false;
  const before = near.replace(/["'“”‘’*_`>#-]+ ?$/u, '');
  return before.trim() === '' ? offset < 13 || /\n\s*$/.test(before) : /[.!?:]\s+$|\n\s*(?:\d+[.)])?\s*$/.test(before);
}

function twinOf(
  word: string,
  names: ReadonlyMap<string, number>,
  index: SourceIndex,
  isFirst: boolean,
): string | undefined {
  const limit = word.length >= 9 ? 2 : 1;
  if ((isFirst && word.length < 6) || SHORT_WORDS.has(word)) return undefined;
  for (const [name] of names) {
    if (Math.abs(name.length - word.length) > limit || isInflection(word, name)) continue;
    if (editDistance(word, name, limit) <= limit && !isOtherForm(word, index)) return name;
  }
  return undefined;
}

const MAX_PLACES = 200;
/** Characters of words in common after a name that make it certain that another one belongs there. */
const CERTAIN_LENGTH = 10;

/** Another name that the sources have before the same words: `Visa ending in 6437`. */
function nameInPlace(
  end: number,
  words: readonly Word[],
  names: ReadonlyMap<string, number>,
  index: SourceIndex,
): string | undefined {
  const own = wordIndexAt(words, end);
  const first = words[own];
  if (first === undefined || first.start - end > 2) return undefined;
  let found: string | undefined;
  for (const place of index.wordAt(first.lower).slice(0, MAX_PLACES)) {
    let length = 0;
    for (let offset = 0; offset < 5; offset++) {
      const word = index.words[place + offset];
      if (word === undefined || word.lower !== words[own + offset]?.lower) break;
      length += word.lower.length;
    }
    if (length < CERTAIN_LENGTH) continue;
    const before = index.words[place - 1];
    if (before === undefined || (index.words[place]?.start ?? 0) - before.end > 2) return undefined;
    const name = index.text.slice(before.start, before.end);
    if (!names.has(name) || (found !== undefined && found !== name)) return undefined;
    found = name;
  }
  return found;
}

/** How far apart two parts of one name may stand, in words: `"first_name": "Ann", "last_name": "Lee"`. */
const NAME_REACH = 4;

/** A name like this one beside the same other name: `Aaron Lee` where the sources have `Aarav Lee`. */
function nameBesideKnown(
  word: string,
  start: number,
  words: readonly Word[],
  names: ReadonlyMap<string, number>,
  index: SourceIndex,
): string | undefined {
  const own = wordIndexAt(words, start);
  const limit = Math.floor(word.length / 2);
  for (const side of [1, -1]) {
    const beside = words[own + side];
    const here = words[own];
    if (beside === undefined || here === undefined) continue;
    const gap = side === 1 ? beside.start - here.end : here.start - beside.end;
    if (gap !== 1) continue;
    for (const place of index.wordAt(beside.lower).slice(0, MAX_PLACES)) {
      for (let offset = 1; offset <= NAME_REACH; offset++) {
        const other = index.words[place - side * offset];
        if (other === undefined) break;
        const name = index.text.slice(other.start, other.end);
        const isAlike = names.has(name) && name.charAt(0) === word.charAt(0);
        if (isAlike && !isInflection(word, name) && editDistance(word, name, limit) <= limit) return name;
      }
    }
  }
  return undefined;
}

function isInflection(word: string, name: string): boolean {
  const [shorter, longer] = word.length < name.length ? [word, name] : [name, word];
  return longer.startsWith(shorter) && INFLECTIONS.includes(longer.slice(shorter.length));
}

/** Whether the sources have the word in another form of it. */
function isOtherForm(word: string, index: SourceIndex): boolean {
  const lower = word.toLowerCase();
  return INFLECTIONS.some(
    (ending) =>
      (lower.endsWith(ending) && index.wordAt(lower.slice(0, -ending.length)).length > 0) ||
      index.wordAt(lower + ending).length > 0,
  );
}
