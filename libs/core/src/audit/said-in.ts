import { findCriticalFields, findWholeToken } from '../seal';

/** Words that say nothing by themselves. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'the and for that this with from have has had was were are been being will would should could can may might must ' +
    'not you your our their its his her they them then than also just only into onto over under about after before ' +
    'please when where what which while there here some any all each other more most very such does did doing done'
  ).split(' '),
);

/** A text that is asked again and again whether it says something. */
export class SaidIn {
  private readonly words: ReadonlySet<string>;
  private readonly values: ReadonlySet<string>;
  private readonly flat: string;

  constructor(readonly text: string) {
    this.words = new Set(wordsIn(text));
    this.values = new Set(findCriticalFields(text).map(({ value }) => value));
    this.flat = flatten(text);
  }

  /** The value stands there as a whole token. */
  hasValue(value: string): boolean {
    return this.values.has(value) || findWholeToken(this.text, value) !== -1;
  }

  /** The sentence stands there, whatever the white space and the case. */
  quotes(sentence: string): boolean {
    return this.flat.includes(flatten(sentence));
  }

  /** Share of the telling words of a text that are said, in whatever order or inflection (0..1); 1 for none. */
  shareOfWords(sentence: string): number {
    const asked = [...new Set(wordsIn(sentence))].filter((word) => word.length > 3 || /\d/u.test(word));
    const telling = asked.filter((word) => !STOP_WORDS.has(word));
    if (telling.length === 0) return 1;
    return telling.filter((word) => this.words.has(word)).length / telling.length;
  }
}

function flatten(text: string): string {
  return text.toLowerCase().replaceAll(/\s+/gu, ' ').trim();
}

/** Words without their usual endings: `commits`, `committed` and `commit` are one. */
function wordsIn(text: string): readonly string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}_]{2,60}/gu) ?? []).map((word) =>
    word.length > 5 ? word.replace(/(?:ies|ing|ted|ed|es|s|e)$/u, '') : word.replace(/s$/u, ''),
  );
}
