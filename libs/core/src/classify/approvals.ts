import type { Element } from '../window/element';
import { findCriticalFields } from '../seal';
import { sentencesOf } from '../summarize/sentence';
import { statesEnglish } from './language';
import { quoteStart } from './quote';
import type { WindowContext } from './window-context';

/** A person's answer to something that the model said. */
export interface Answer {
  readonly proposal: Element;
  readonly answer: Element;
  readonly kind: 'accepts' | 'declines' | 'answers';
  /** Names what it answers, with the proposal's beginning quoted. */
  readonly label: string;
  /**
   * What of the proposal was answered, verbatim: the sentences that ask, and the lines that the answer speaks of. Undefined
   * where all of it was: a proposal that is accepted or declined, options that the answer only points at.
   */
  readonly asked: string | undefined;
}

const ACCEPTS =
  /^["'*_>\s]*(?:yes|yeah|yep|yup|please do|please (?:proceed|go ahead|continue)|go ahead|proceed|confirmed?\b|i confirm|i agree|approved?\b|do it|do that|sounds good|lgtm|agreed|that works|that's (?:right|fine|correct))\b/iu;
/** Also begin other sentences ("ok, next thing"): they count only where the model had asked. */
const ACCEPTS_WEAKLY = /^["'*_>\s]*(?:ok(?:ay)?|y|sure|great|perfect|fine|right|correct|good|alright|thanks)\b/iu;
const DECLINES =
  /^["'*_>\s]*(?:no|nope|nah|don'?t|do not|stop|cancel that|never ?mind|not yet|hold off|wait|i decline|rejected?)\b/iu;
const CHOOSES =
  /^["'*_>\s]*(?:option|choice|number|the (?:first|second|third|last|former|latter)|both|neither|either|[a-d1-9][.)]?\s*$)/iu;

const ASKS =
  /\?["'*_)\s]*$|\?[^?]{0,300}$|\b(?:let me know|please (?:confirm|provide|tell|choose|specify|share|reply)|would you like|do you want|shall i|should i|may i|\(yes\/no\)|which (?:one|of))\b/iu;
const CLOSING_QUESTION =
  /(?:anything else|any(?:thing)? (?:other|further)|further (?:assistance|questions|help)|how (?:can|may|else can) i (?:help|assist))[^?]*\?\s*$/iu;

/** The end of a text is where it asks. */
const TAIL_CHARS = 700;
/** A longer text that begins with "sure" says more than yes. */
const MAX_BARE_ANSWER_CHARS = 30;
/** Longer texts are new requests, not a yes or a no. */
const MAX_PLAIN_ANSWER_CHARS = 400;

/**
 * Every assistant text that a person answered directly (nothing but reasoning in between), with the answer: one
 * authoritative unit. The question whether anything else is wanted closes a turn and asks for nothing.
 */
export function findAnswers(context: WindowContext): readonly Answer[] {
  const answers: Answer[] = [];
  let proposal: Element | undefined;
  for (const element of context.input.elements) {
    if (element.kind === 'reasoning') continue;
    if (element.kind === 'text' && element.role === 'assistant' && element.rendered === undefined) {
      proposal = element;
    } else {
      if (proposal !== undefined && context.isPersons(element) && element.kind === 'text') {
        const kind = answerKind(proposal.text, element.text);
        if (kind !== undefined) {
          const asked = kind === 'answers' ? askedOf(proposal.text, element.text) : undefined;
          answers.push({ proposal, answer: element, kind, label: labelOf(kind, proposal), asked });
        }
      }
      proposal = undefined;
    }
  }
  return answers;
}

function answerKind(proposal: string, answer: string): Answer['kind'] | undefined {
  const tail = proposal.slice(-TAIL_CHARS).trimEnd();
  const asks = ASKS.test(tail) && !onlyClosing(tail);
  const head = answer.slice(0, 80);
  if (answer.length <= MAX_PLAIN_ANSWER_CHARS && !onlyClosing(tail)) {
    if (ACCEPTS.test(head)) return 'accepts';
    if (asks && ACCEPTS_WEAKLY.test(head)) return answer.length <= MAX_BARE_ANSWER_CHARS ? 'accepts' : 'answers';
    if (DECLINES.test(head)) return 'declines';
    if (CHOOSES.test(head)) return 'answers';
  }
  return asks ? 'answers' : undefined;
}

/** Points at something that was said instead of naming it: the options belong to the answer. */
const POINTS_BACK =
  /\b(?:options?|choices?|first|second|third|fourth|last|former|latter|(?:that|this|the|which(?:ever)?) ones?|those|these|both|all|either|neither|cheape(?:r|st)|earliest|latest|same|above|any|whichever|[a-d]\)|#\d)(?![\w-])/iu;
/** Other scripts have pointing words that are not known here. */
const LATIN_ONLY = /^[\u0000-\u024f\u2010-\u2027\u20a0-\u20bf]*$/u;
const ASKING_SENTENCE =
  /\?["'*_)\s]*$|\b(?:let me know|please (?:confirm|provide|tell|choose|specify|share|reply|give|enter)|would you like|do you want)\b/iu;
/** A question kept by itself frees at least this share of its message, or the message stays whole. */
const LARGEST_ASKED_SHARE = 0.75;

function askedOf(proposal: string, answer: string): string | undefined {
  if (POINTS_BACK.test(answer) || !LATIN_ONLY.test(answer) || !statesEnglish(answer)) return undefined;
  const named = new Set(findCriticalFields(answer).map(({ value }) => value));
  const sentences = sentencesOf(proposal).map(({ start, end }) => proposal.slice(start, end));
  const asks = sentences.map((text) => ASKING_SENTENCE.test(text));
  // What is asked for often stands in the sentence before the question.
  const kept = sentences.filter(
    (text, at) =>
      asks[at] === true || asks[at + 1] === true || findCriticalFields(text).some(({ value }) => named.has(value)),
  );
  const asked = kept.join('\n');
  return asked === '' || asked.length > LARGEST_ASKED_SHARE * proposal.length ? undefined : asked;
}

function onlyClosing(tail: string): boolean {
  return CLOSING_QUESTION.test(tail) && tail.indexOf('?') === tail.lastIndexOf('?');
}

function labelOf(kind: Answer['kind'], proposal: Element): string {
  return `${kind} the assistant's message that begins ${quoteStart(proposal.text, 60)}`;
}
