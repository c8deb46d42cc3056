const STAND_IN =
  /^(?:\$\{?[\w.:-]*\}?|\$\(.*|%\(?\w*\)?s?%?|\{\{?.*|<.*|\[.*|\(.*|[*xX•.·#_-]{3,}|(?:[A-Za-z_]+\.){1,6}[A-Za-z_]+(?:\[.*|\(.*)?|[A-Za-z_]\w*\(.*|!(?:vault|ref|sub|env|secret|getatt)\b.*|@\w+@|your[_-].*|my[_-](?:password|secret|token|key|api).*|(?:insert|replace|enter|paste|put)[_-].*|\.\.\.|…)$/isu;

/** Words that stand where a secret would: types, states, descriptions. */
const WORDS: ReadonlySet<string> = new Set(
  (
    'null none nil undefined nan true false yes no on off string str text number int integer boolean bool bytes object any void char varchar ' +
    'optional required invalid incorrect wrong missing empty hidden unknown changed reset expired default prompt ' +
    'redacted removed masked filtered omitted confidential example sample dummy placeholder todo tbd change_me ' +
    'password passwd pwd passphrase pass secret token key api_key apikey credential credentials auth authorization ' +
    'bearer basic digest anonymous public private protected static const readonly async await new self this args ' +
    'value values field name is was are be the a an to for of in from with and or not it must should can will'
  ).split(' '),
);

/**
 * True for what stands in the place of a secret and is none: variables, templates, stars, member paths and calls of
 * code, types, words of a message, masks.
 */
export function isPlaceholder(value: string): boolean {
  // A secret is no longer than a few lines; the pattern never sees more.
  const head = value.slice(0, 200);
  return WORDS.has(head.toLowerCase()) || STAND_IN.test(head);
}
