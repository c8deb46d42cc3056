import { nameWords } from './name-words';
import {
  ARTICLES,
  CHECKED_ASPECTS,
  CHECKED_OFF,
  COLLECTIVES,
  COMPUTING_VERBS,
  CONNECTORS,
  GIVEN_OBJECTS,
  isChangingWord,
  isPlural,
  MARKET_WORDS,
  OBTAINED_OBJECTS,
  PARTICLES,
  PLACE_WORDS,
  QUESTION_WORDS,
  READING_VERBS,
  SCREEN_OBJECTS,
  SELECTORS,
} from './verb-words';

/** What a name alone says: a reading verb with an object that fits it, or why it does not count as one. */
export type NameJudgement =
  | { readonly kind: 'reads'; readonly verb: string; readonly effect: 'read' | 'pure' }
  /** The verb reads or does something else, depending on what the description says. */
  | { readonly kind: 'may_read'; readonly verb: string; readonly reason: string }
  | { readonly kind: 'no'; readonly reason: string };

/**
 * Judges a tool by its name. `spaces` are first words that several tools of the same agent share: they say whose tools
 * these are, so that the verb is looked for behind them.
 *
 * Built to err on one side: a second action, an unknown verb, a changing verb anywhere, letters outside of ASCII, or an
 * object that makes another thing of the verb (`check_out_cart`, `list_item_for_sale`, `get_approval`) is no read.
 */
export function judgeName(name: string, spaces: ReadonlySet<string> = new Set()): NameJudgement {
  const named = nameWords(name);
  if (named === undefined) return { kind: 'no', reason: 'the name cannot be read for certain' };
  const words = lookUpJoined(named.words.filter((word, at) => at === 0 || !ARTICLES.has(word)));
  // `can_send_mms` asks whether something could be done.
  const acts = words[0] === 'can' ? words.slice(2) : words;
  const changing = [...named.spaces, ...acts].find(isChangingWord);
  const asked = words[0] !== undefined && QUESTION_WORDS.has(words[0]);
  if (changing !== undefined) return { kind: 'no', reason: `"${changing}" changes something` };
  const connector = words.find((word, at) => CONNECTORS.has(word) && !selectsBehind(words, at));
  if (connector !== undefined) return { kind: 'no', reason: `"${connector}" may join a second action` };
  if (asked && words.length > 1) return { kind: 'reads', verb: words[0] ?? '', effect: 'read' };
  const at = verbPlace(words, named.spaces.length > 0, spaces);
  const verb = at === undefined ? undefined : words[at];
  if (at === undefined || verb === undefined) return { kind: 'no', reason: 'no known reading verb leads the name' };
  if (COMPUTING_VERBS.has(verb)) return { kind: 'reads', verb, effect: 'pure' };
  return judgeObject(verb, words.slice(at + 1));
}

/** `look up` is one verb. */
function lookUpJoined(words: readonly string[]): readonly string[] {
  return words[0] === 'look' && words[1] === 'up' ? ['lookup', ...words.slice(2)] : words;
}

/** Behind a selector `and` joins what is selected by, unless a verb follows. */
function selectsBehind(words: readonly string[], at: number): boolean {
  const next = words[at + 1];
  return (
    (words[at] === 'and' || words[at] === 'or') &&
    next !== undefined &&
    !isChangingWord(next) &&
    CREDENTIAL_NOUNS.has(next) &&
    words.slice(0, at).some((word) => SELECTORS.has(word))
  );
}

/** Nouns by which things are looked up. */
const CREDENTIAL_NOUNS: ReadonlySet<string> = new Set(
  'name id ids zip zipcode email phone date time type status city state country code key number title'.split(' '),
);

function verbPlace(words: readonly string[], isSpaced: boolean, spaces: ReadonlySet<string>): number | undefined {
  const [first = '', second = ''] = words;
  if (READING_VERBS.has(first) || COMPUTING_VERBS.has(first)) return 0;
  const place = spaces.has(first) || PLACE_WORDS.has(first) || isSpaced;
  if (place && words.length === 2 && (second === 'search' || second === 'lookup')) return 1;
  // `wish_list` is a thing; `slack_list_channels` is not.
  const isNoun = second === 'list' && words.length === 2;
  return spaces.has(first) && READING_VERBS.has(second) && !isNoun ? 1 : undefined;
}

function judgeObject(verb: string, object: readonly string[]): NameJudgement {
  const [first = ''] = object;
  const reads: NameJudgement = { kind: 'reads', verb, effect: 'read' };
  if (PARTICLES.has(first) && !(verb === 'list' || verb === 'search' || verb === 'find'))
    return { kind: 'no', reason: `"${verb} ${first}" is another verb than "${verb}"` };
  const given = object.find((word) => GIVEN_OBJECTS.has(word));
  if (given !== undefined && (verb === 'get' || verb === 'fetch' || verb === 'retrieve' || verb === 'find'))
    return { kind: 'no', reason: `to ${verb} "${given}" is to be given it` };
  if (verb === 'get' && object.every((word) => /(?:ed|in)$/u.test(word)) && first.endsWith('ed'))
    return { kind: 'no', reason: `to get "${first}" is to have it done` };
  if (object.length === 1 && OBTAINED_OBJECTS.has(first))
    return { kind: 'may_read', verb, reason: `to ${verb} a "${first}" may be to obtain one` };
  switch (verb) {
    case 'list':
      return judgeListed(object);
    case 'check':
      return judgeChecked(object);
    case 'show':
    case 'view': {
      const screen = object.find((word) => SCREEN_OBJECTS.has(word));
      return screen === undefined || verb === 'view'
        ? reads
        : { kind: 'may_read', verb, reason: `to show "${screen}" may be to put it on a screen` };
    }
    default:
      return reads;
  }
}

function judgeListed(object: readonly string[]): NameJudgement {
  const market = object.find((word) => MARKET_WORDS.has(word));
  if (market !== undefined) return { kind: 'no', reason: `to list for "${market}" is to offer` };
  const end = object.findIndex((word) => SELECTORS.has(word) || word === 'on' || word === 'to');
  const head = end < 0 ? object : object.slice(0, end);
  if (object.includes('on') || object.includes('to'))
    return { kind: 'may_read', verb: 'list', reason: 'to list something somewhere may be to offer it there' };
  return object.length === 0 || head.some((word) => isPlural(word) || COLLECTIVES.has(word))
    ? { kind: 'reads', verb: 'list', effect: 'read' }
    : { kind: 'may_read', verb: 'list', reason: 'to list one thing may be to offer it' };
}

function judgeChecked(object: readonly string[]): NameJudgement {
  if (object.some((word) => CHECKED_ASPECTS.has(word))) return { kind: 'reads', verb: 'check', effect: 'read' };
  const off = object.find((word) => CHECKED_OFF.has(word));
  if (off !== undefined) return { kind: 'no', reason: `to check "${off}" may be to tick it off or hand it in` };
  return object.some(isPlural)
    ? { kind: 'reads', verb: 'check', effect: 'read' }
    : { kind: 'may_read', verb: 'check', reason: 'what is checked does not say whether it is only looked at' };
}
