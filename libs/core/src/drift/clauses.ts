/** A clause of a summary and how it speaks of what it names, at UTF-16 offsets of the summary. */
export interface Clause {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** The clause before it belongs to the same sentence. */
  readonly isContinued: boolean;
  /** Wanted, asked for, planned, possible: not told as having happened. */
  readonly isIntent: boolean;
  /** Told as not having worked. */
  readonly isFailed: boolean;
  /** Told as not having happened, or not yet. */
  readonly isOpen: boolean;
}

const CLAUSE_END = /[.!?;](?=\s|$)|\n|,\s+(?:and|but|yet|while|whereas|which|so)\s|\s[–—]\s|\s(?:but|whereas)\s/g;
const INTENT =
  /\b(?:want(?:s|ed)?|would|'d|wish(?:es|ed)?|like[sd]? to|ask(?:s|ed|ing)?(?: \w+)? (?:for|to|whether|if|that)|plan(?:s|ned|ning)? to|need(?:s|ed)? to|(?:has|have|is|are|still|left|yet|going|about|ready|supposed|meant|allowed) to|to be|should|must|will|could|can|might|if(?!\/)|unless|once|until|before|offer(?:s|ed)?|propos(?:e|es|ed|al|als)|suggest(?:s|ed)?|request(?:s|ed)?|intend(?:s|ed)?|goal|task|wish|request|next|todo|in order to|try(?:ing)? to|option(?:s)?|recommend(?:s|ed)?)\b/i;
const FAILED =
  /\b(?:fail(?:s|ed|ing|ure|ures)?|reject(?:s|ed|ion)?|refus(?:ed|es|al)|errors?|errored|declin(?:ed|es)|denied|denies|block(?:s|ed)|abort(?:s|ed)?|crash(?:es|ed)?|broke|broken|unsuccessful(?:ly)?|wrong|invalid|exit(?:ed|s)? with|too low|not enough|timed out|bounced|unable|complain(?:s|ed)?|in vain|conflict(?:s|ed)?|cannot|can't|could(?:n't| not)|did(?:n't| not)|does(?:n't| not)|was(?:n't| not)|were(?:n't| not)|won't|impossible|no effect|gave up|lost|dropped)\b/i;
/** Failures that did not happen. */
const NO_FAILURE =
  /\b(?:0|no|zero|without(?: any)?|free of) (?:\w+ )?(?:errors?|failures?|conflicts?|crash(?:es)?|problems?|rejections?)(?!\w)|\b(?:errors?|failures?|conflicts?|crash(?:es)?)[=:] ?(?:0|none|no)\b/gi;
const OPEN =
  /\b(?:pending|await(?:s|ing)?|wait(?:s|ing)|not (?:yet|been)|n't (?:yet|been)|has(?:n't| not)|have(?:n't| not)|isn't|is not|aren't|are not|never|nothing|no (?:reply|answer|result|response|confirmation)|unknown|unclear|unconfirmed|in progress|under way|still|yet to|remain(?:s|ing)?|outstanding|unfinished|incomplete|untouched|unchanged|not)\b/i;

/** Whether what stands before a verb makes it a wish or a plan. */
export function isIntended(before: string): boolean {
  return INTENT.test(before);
}

/** Whether a text tells of something that did not work. */
export function isFailure(text: string): boolean {
  return FAILED.test(text.replace(NO_FAILURE, ' '));
}

/** The clauses of a text in order. */
export function clausesOf(text: string): readonly Clause[] {
  const clauses: Clause[] = [];
  let start = 0;
  let isContinued = false;
  for (const match of text.matchAll(CLAUSE_END)) {
    addClause(clauses, text, start, match.index, isContinued);
    start = match.index + match[0].length;
    isContinued = !/^[.!?\n]/.test(match[0]);
  }
  addClause(clauses, text, start, text.length, isContinued);
  return clauses;
}

function addClause(clauses: Clause[], text: string, start: number, end: number, isContinued: boolean): void {
  const own = text.slice(start, end);
  if (own.trim() === '') return;
  clauses.push({
    text: own,
    start,
    end,
    isContinued,
    isIntent: INTENT.test(own),
    isFailed: isFailure(own),
    isOpen: OPEN.test(own),
  });
}

const SHORT_TEXT = 12;
const ENGLISH =
  /\b(?:the|and|of|to|is|was|in|for|with|not|it|has|that|at|by|from|are|were|been|this|must|only|but|after|before|they|their|which|while|when|failed|still)\b/gi;

/** Whether a text is English enough for its verbs to be understood. */
export function isEnglish(text: string): boolean {
  const words = text.match(/[\p{L}]+/gu)?.length ?? 0;
  // Too short to tell: what is in plain Latin letters is taken for English.
  if (words < SHORT_TEXT) return /^[\u0000-\u024f\u2000-\u206f]*$/.test(text);
  return (text.match(ENGLISH)?.length ?? 0) / words >= 0.06;
}
