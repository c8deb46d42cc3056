import { sentencesOf } from '../summarize/sentence';
import { statesRule } from './human-text';

/** Says that something else held before. */
const REPLACES =
  /(?<!\p{L})(?:instead|rather than|no longer|not .{1,40} any ?more|anymore|any longer|from now on|as of (?:now|today)|change of plans?|changed my mind|on second thought|scratch that|forget (?:what|that|about|the)|correction|replaces?|supersedes?|overrides?|lift(?:ed|ing)?|actually|statt(?:dessen)?|anstatt|anstelle|nicht mehr|ab (?:jetzt|sofort|heute)|doch (?:nicht|lieber)|lieber|stattdessen|au lieu|plutôt|désormais|dorénavant|finalement|à partir de maintenant|ne .{1,40} plus|en (?:lugar|vez) de|ya no|a partir de ahora|de ahora en adelante|mejor|invece|d['’]ora in poi|em vez de|a partir de agora)(?!\p{L})|改为|改成|改用|不再|而不是|从现在起|从今以后|取消|今後|代わりに|もう|대신|이제부터|вместо|больше не|теперь/iu;

/** Longer statements are briefs: one newer sentence does not replace them. */
const MAX_REPLACED_CHARS = 1_200;
/** Share of the shorter sentence's words that both must have. */
const MIN_SHARED = 0.5;
const MIN_SHARED_WORDS = 2;

/**
 * True when a person's newer statement takes the place of an older one: it says that something changes, and every rule
 * of the older one is about the same thing in other words. In doubt both hold: a rule too many is seen, a lost one is not.
 */
export function replacesRules(newer: string, older: string): boolean {
  if (newer === older || older.length > MAX_REPLACED_CHARS || newer.length > MAX_REPLACED_CHARS) return false;
  const changes = sentences(newer).filter((sentence) => REPLACES.test(sentence));
  if (changes.length === 0) return false;
  const said = changes.map(wordsOf);
  const rules = sentences(older).filter(statesRule);
  return rules.length > 0 && rules.every((rule) => said.some((words) => isAboutTheSame(words, wordsOf(rule))));
}

function isAboutTheSame(newer: ReadonlySet<string>, older: ReadonlySet<string>): boolean {
  const shared = [...older].filter((word) => newer.has(word)).length;
  return shared >= MIN_SHARED_WORDS && shared >= MIN_SHARED * Math.min(newer.size, older.size);
}

function sentences(text: string): readonly string[] {
  return sentencesOf(text).flatMap(({ start, end }) => text.slice(start, end).split(/(?<=[。！？])/u));
}

/** Words that say what a sentence is about: those of some length, numbers and names; of scripts without blanks, pairs of signs. */
function wordsOf(sentence: string): ReadonlySet<string> {
  const words = new Set<string>();
  for (const [word] of sentence.matchAll(/[\p{L}\p{N}]+/gu)) {
    if (/[\u3040-\u9fff]/u.test(word)) {
      for (let at = 0; at + 2 <= word.length; at += 1) words.add(word.slice(at, at + 2));
    } else if (word.length > 3 || /\d/u.test(word) || /^\p{Lu}{2,}$/u.test(word)) {
      const plain = word.toLowerCase();
      if (!FILLERS.has(plain)) words.add(plain.length > 5 ? plain.slice(0, 5) : plain);
    }
  }
  return words;
}

/** Words that rules of any subject have. */
const FILLERS: ReadonlySet<string> = new Set(
  `always never must should only please make sure instead from that this with when then than them they have will need
  want actually longer anymore keep using don't rather immer niemals bitte muss soll nicht mehr statt jetzt sofort eine
  einen toujours jamais doit plus maintenant lieu dans pour avec siempre nunca debe ahora para como lugar partir`.split(
    /\s+/u,
  ),
);
