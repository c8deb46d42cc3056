import { contentStems, stemOf } from './stems';

/** Words that rules are told in, one for another. */
const SAME_IN_RULES: ReadonlyMap<string, string> = new Map(
  [
    'reply answer respond response',
    'change touch modify alter edit adjust amend rewrite',
    'delete remove drop destroy erase wipe discard',
    'call phone ring telephone dial',
    'restart reboot bounce',
    'buy purchase',
    'budget cost spend price money expense',
    'ask permission consent approval approve confirm confirmation check',
    'disclose reveal share include mention expose show',
    'publish release deploy ship',
    'prod production live',
    'bypass circumvent disable override',
    'overwrite replace clobber',
    'fly flight flights',
    'user customer client',
    'email mail',
    'download fetch',
    'stop halt',
    'directory folder',
    'employee staff person people',
    'meat vegetarian vegan',
  ].flatMap((group) => {
    const [first = '', ...others] = group.split(' ');
    const forms = [first, ...others].flatMap((word) => [word, `${word}s`, `${word}ed`, `${word}ing`]);
    return forms.map((form) => [stemOf(form), stemOf(first)] as const);
  }),
);
/** Words that say nothing of what a rule is about. */
const EMPTY_WORDS = new Set(
  'ok okay everything anything anyone everybody all ever circumstance circumstances case cases time times way anywhere first'
    .split(' ')
    .map(stemOf),
);

/** What a rule is about; words that rules use for one another are one. */
export function ruleStems(text: string): readonly string[] {
  const stems = contentStems(text)
    .filter((stem) => !EMPTY_WORDS.has(stem))
    .map((stem) => SAME_IN_RULES.get(stem) ?? stem);
  return [...new Set(stems)];
}
