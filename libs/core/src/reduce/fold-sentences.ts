/** Shorter sentences do not pay for a number in their place. */
const SHORTEST_SENTENCE = 24;
const NUMBER = /^\[(\d{1,4})\]$/;
const ANY_NUMBER = /\[\d{1,4}\]/;
/** A number, or a sentence, with the white space behind it. */
const PIECE = /(\[\d{1,4}\](?=\s|$)|\S(?:[^.!?\n]|[.!?](?!\s|$))*[.!?]*)(\s*)/gu;

/**
 * Writes the number of a sentence where it is said again: `[2]` is the second of the longer sentences, counted by their
 * first appearance. `unfoldSentences` reads it back. Undefined where nothing is said twice, and for a text that has such
 * numbers of its own. Linear in the length of the text.
 */
export function foldSentences(text: string): string | undefined {
  if (ANY_NUMBER.test(text)) return undefined;
  let isFolded = false;
  const folded = replaceSentences(text, (sentence, known) => {
    const number = known.get(sentence);
    if (number !== undefined) isFolded = true;
    return number === undefined ? sentence : `[${String(number)}]`;
  });
  return isFolded ? folded : undefined;
}

/** The text that was folded. */
export function unfoldSentences(folded: string): string {
  return replaceSentences(folded, (sentence, known) => {
    const number = NUMBER.exec(sentence)?.[1];
    const said = number === undefined ? undefined : [...known.keys()][Number(number) - 1];
    return said ?? sentence;
  });
}

function replaceSentences(
  text: string,
  replace: (sentence: string, known: ReadonlyMap<string, number>) => string,
): string {
  const known = new Map<string, number>();
  const pieces: string[] = [];
  let end = 0;
  for (const match of text.matchAll(PIECE)) {
    const [whole, sentence = '', space = ''] = match;
    pieces.push(text.slice(end, match.index), replace(sentence, known), space);
    if (sentence.length >= SHORTEST_SENTENCE && !known.has(sentence)) known.set(sentence, known.size + 1);
    end = match.index + whole.length;
  }
  pieces.push(text.slice(end));
  return pieces.join('');
}
