import type { SummaryAnswer, SummaryRequest, Summarizer } from '../ports';
import { isHighSurrogate } from '../seal';
import { sentencesOf, type Sentence } from './sentence';
import { isMereAnnouncement, pointsBack, worthOfSentence } from './worth-keeping';

/** Characters of a token in prose, on average; the pass counts the result exactly. */
const CHARACTERS_PER_TOKEN = 4;
/** Lines above an item that give it its name: its list's, and that one's. */
const MAX_LEAD_INS = 3;
/** A line that introduces says less than what it introduces, which brings it along. */
const LEAD_IN_DISCOUNT = 3;
/** A sentence of this many characters must be worth twice as much as a very short one. */
const COSTLY_CHARACTERS = 200;

/**
 * The summarizer that needs no model: picks the sentences of the assistant that state findings, causes, decisions,
 * rejected approaches, failures, outcomes, open points, calculations and values, and leaves out announcements,
 * courtesies and code. Every sentence stays verbatim, in order, on a line of its own; a list item keeps the line that
 * introduces it. Same request, same answer.
 */
export const extractiveSummarizer: Summarizer = {
  name: 'extractive/1',
  deterministic: true,
  summarize(request) {
    return Promise.resolve(extract(request));
  },
};

interface Piece {
  readonly text: string;
  readonly worth: number;
  readonly leadIns: readonly number[];
  /** The sentence before it, where its first word points there. */
  readonly antecedent?: number | undefined;
}

function extract(request: SummaryRequest): SummaryAnswer {
  const allowance = request.maxTokens * CHARACTERS_PER_TOKEN;
  const pieces: Piece[] = [];
  for (const element of request.elements) {
    for (const piece of piecesOf(element.text, pieces.length)) pieces.push(piece);
  }
  const chosen = choose(pieces, allowance);
  if (chosen.length > 0) return { kind: 'summary', text: chosen.map((piece) => piece.text).join('\n') };
  const first = pieces.find((piece) => piece.worth > 0) ?? pieces[0] ?? firstLine(request);
  if (first === undefined) return { kind: 'rejected', reason: 'the texts hold no words' };
  return { kind: 'summary', text: shortened(first.text, allowance) };
}

function firstLine(request: SummaryRequest): Piece | undefined {
  for (const element of request.elements) {
    const text = element.text.trim();
    if (text !== '') return { text: text.split('\n', 1)[0] ?? text, worth: 0, leadIns: [] };
  }
  return undefined;
}

/** The sentences of one text; `base` is the number of the first. */
function piecesOf(text: string, base: number): readonly Piece[] {
  const sentences = sentencesOf(text);
  const open: number[] = [];
  return sentences.map((sentence, index) => {
    const words = text.slice(sentence.start, sentence.end);
    const leadIns = leadInsOf(sentences, open, index).map((leadIn) => leadIn + base);
    const worth = worthOfSentence(words, sentence.isLeadIn);
    if (sentence.isLeadIn && !isMereAnnouncement(words)) open.push(index);
    const antecedent = antecedentOf(text, sentences, index);
    return {
      text: words,
      worth: sentence.isLeadIn ? Math.max(0, worth - LEAD_IN_DISCOUNT) : worth,
      leadIns,
      antecedent: antecedent === undefined ? undefined : antecedent + base,
    };
  });
}

/** What a sentence that begins with a pronoun speaks of: the one before it in its paragraph. */
function antecedentOf(text: string, sentences: readonly Sentence[], index: number): number | undefined {
  const sentence = sentences[index];
  const before = sentences[index - 1];
  if (sentence?.form !== 'sentence' || before?.form !== 'sentence' || sentence.line - before.line > 1) return undefined;
  if (!pointsBack(text.slice(sentence.start, sentence.start + 60))) return undefined;
  return isMereAnnouncement(text.slice(before.start, before.end)) ? undefined : index - 1;
}

/**
 * The lines that introduce a sentence, outermost first. `open` holds the lead-ins that still reach this far and loses
 * those that do not.
 */
function leadInsOf(sentences: readonly Sentence[], open: number[], index: number): readonly number[] {
  const sentence = sentences[index];
  if (sentence === undefined) return [];
  for (let last = open.at(-1); last !== undefined; last = open.at(-1)) {
    const leadIn = sentences[last];
    if (leadIn !== undefined && introduces(leadIn, sentence)) break;
    open.pop();
  }
  return sentence.form === 'heading' ? [] : open.slice(-MAX_LEAD_INS);
}

function introduces(leadIn: Sentence, sentence: Sentence): boolean {
  if (leadIn.form === 'heading') return sentence.form !== 'heading';
  if (sentence.form === 'item')
    return leadIn.form === 'sentence' ? leadIn.indent <= sentence.indent : leadIn.indent < sentence.indent;
  return leadIn.form === 'item' && leadIn.indent < sentence.indent;
}

/** The worthiest pieces that fit, newer first among equals, in the order of the text. */
function choose(pieces: readonly Piece[], allowance: number): readonly Piece[] {
  const ranked = pieces.flatMap((piece, index) =>
    piece.worth > 0 ? [{ piece, index, value: piece.worth / (1 + piece.text.length / COSTLY_CHARACTERS) }] : [],
  );
  ranked.sort((left, right) => right.value - left.value || right.index - left.index);
  const chosen = new Set<number>();
  const said = new Set<string>();
  let left = allowance;
  for (const { piece, index } of ranked) {
    if (chosen.has(index) || said.has(piece.text)) continue;
    const needed = [...piece.leadIns, index];
    const { antecedent } = piece;
    // A pronoun without what it stands for is better than a finding that is missing.
    const ways = antecedent === undefined ? [needed] : [[antecedent, ...needed], needed];
    const fitting = ways
      .map((way) => way.filter((each) => !chosen.has(each)))
      .map((added) => ({ added, cost: added.reduce((sum, each) => sum + (pieces[each]?.text.length ?? 0) + 1, 0) }))
      .find(({ cost }) => cost <= left);
    if (fitting === undefined) continue;
    for (const each of fitting.added) {
      chosen.add(each);
      said.add(pieces[each]?.text ?? '');
    }
    left -= fitting.cost;
  }
  return pieces.filter((_, index) => chosen.has(index));
}

/** The first words of a sentence that is longer than all that is allowed; cut at white space, so at no value. */
function shortened(sentence: string, allowance: number): string {
  if (sentence.length <= allowance) return sentence;
  for (let end = Math.max(1, Math.floor(allowance) - 2); end > 0; end--) {
    if (/\s/.test(sentence.charAt(end))) return `${sentence.slice(0, end).trimEnd()} …`;
  }
  const space = sentence.search(/\s/);
  if (space > 0) return `${sentence.slice(0, space)} …`;
  return isHighSurrogate(sentence.charCodeAt(sentence.length - 1)) ? sentence.slice(0, -1) : sentence;
}
