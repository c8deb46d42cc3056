import type { Element } from '../window/element';
import { sentencesOf } from '../summarize/sentence';
import { isMereAnnouncement } from '../summarize/worth-keeping';
import type { WindowContext } from './window-context';

/** A sentence of the model's that states a cause, a choice or a rejected approach, verbatim. */
export interface Conclusion {
  readonly element: Element;
  readonly quote: string;
}

const STATES_CAUSE =
  /(?<!\p{L})(?:root cause|turns out|the (?:real|actual|main|underlying) (?:issue|problem|bug|cause|culprit|reason)|caused by|the (?:issue|problem|bug|culprit|cause|reason) (?:is|was)|that['’]s why|this (?:explains|confirms)|ursache|liegt daran|stellt sich heraus|il s['’]avère|la cause|resulta que|la causa)(?!\p{L})|原因是|根本原因|原来是/iu;
const STATES_REJECTION =
  /(?<!\p{L})(?:already tried|tried (?:this|that|it)|(?:did(?:n['’]t| not)|does(?:n['’]t| not)|won['’]t|will not) work|not an option|ruled out|dead end|(?:is|was) (?:wrong|incorrect)|abandoned|rejected|verworfen|funktioniert nicht|écarté|ne (?:marche|fonctionne) pas|descartad[oa]|no funciona)(?!\p{L})|行不通|不可行|放弃|排除了/iu;
const STATES_CHOICE =
  /(?<!\p{L})(?:(?:i|we) (?:decided|chose|opted|settled on|should (?:use|send|keep|not))|(?:i|we)(?:['’]ll| will) (?:go with|stick (?:to|with))|going with|entschieden|décidé|decidid[oa]|hemos elegido)(?!\p{L})|决定|选择了/iu;

const PATTERNS = [STATES_CAUSE, STATES_REJECTION, STATES_CHOICE];

const MIN_QUOTE_CHARS = 24;
const MIN_QUOTE_CHARS_DENSE = 8;
/** Longer sentences are accounts, not conclusions. */
const MAX_QUOTE_CHARS = 280;
/** Quotes may take this share of a window's characters: they must not raise the floor of a short one. */
const SHARE_OF_WINDOW = 1 / 40;
/** A message of pages is a document; its first pages say what it concludes. */
const MAX_TEXT_CHARS = 20_000;

/** What the model concluded, newest kept first where there are many; in window order. */
export function findConclusions(context: WindowContext): readonly Conclusion[] {
  const { elements } = context.input;
  let left = elements.reduce((sum, { text }) => sum + text.length, 0) * SHARE_OF_WINDOW;
  const found: Conclusion[] = [];
  const said = new Set<string>();
  for (const element of elements.toReversed()) {
    if (element.kind !== 'text' || element.role !== 'assistant') continue;
    if (element.rendered !== undefined || element.settled !== undefined) continue;
    for (const quote of conclusionsOf(element.text).toReversed()) {
      if (said.has(quote)) continue;
      left -= quote.length;
      if (left < 0) return found.reverse();
      said.add(quote);
      found.push({ element, quote });
    }
  }
  return found.reverse();
}

function conclusionsOf(whole: string): readonly string[] {
  const text = whole.slice(0, MAX_TEXT_CHARS);
  return sentencesOf(text).flatMap(({ start, end, isLeadIn, form }) => {
    const quote = text.slice(start, end);
    const isDense = /[\u3040-\u9fff]/u.test(quote);
    if (isLeadIn || form === 'heading' || quote.length > MAX_QUOTE_CHARS) return [];
    if (quote.length < (isDense ? MIN_QUOTE_CHARS_DENSE : MIN_QUOTE_CHARS) || /[?？]["')*_]*$/u.test(quote)) return [];
    if (isMereAnnouncement(quote) || !PATTERNS.some((pattern) => pattern.test(quote))) return [];
    return [quote];
  });
}
