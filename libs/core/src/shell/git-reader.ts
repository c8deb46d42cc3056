import { isOperand, type ShellWord } from './shell-word';

/** Subcommands that only read, whatever their arguments but those that `WRITING` knows. */
const READERS: ReadonlySet<string> = new Set(
  (
    'status log diff show rev-parse ls-files ls-tree blame annotate describe shortlog rev-list merge-base grep ' +
    'name-rev for-each-ref show-ref show-branch diff-tree diff-index diff-files count-objects check-ignore check-attr ' +
    'cherry whatchanged range-diff cat-file version'
  ).split(' '),
);

/** Subcommands that only read while every argument behind them is one of these. */
const LISTINGS: Readonly<Record<string, RegExp>> = {
  branch:
    /^(?:-[arv]{1,3}|-vv|--all|--list|--remotes|--show-current|--no-color|--(?:no-)?(?:merged|contains)(?:=.*)?|--sort=.*|--format=.*)$/u,
  remote: /^(?:-v|--verbose)$/u,
  tag: /^(?:-l|--list|-n\d{0,3}|--sort=.*|--format=.*|--(?:no-)?(?:merged|contains|points-at)(?:=.*)?)$/u,
  reflog: /^(?:-\d{1,6}|--all|--oneline|--date=.*)$/u,
};

/** Two words that read together, and the words that may follow. */
const PAIRS: readonly (readonly [first: string, second: RegExp, rest: RegExp])[] = [
  ['stash', /^(?:list|show)$/u, /^(?:-[pu]|--stat|--patch|--name-only|--oneline|stash@\{\d{1,4}\}|\d{1,4})$/u],
  ['remote', /^get-url$/u, /^(?:[^-].*|--all|--push)$/u],
  ['worktree', /^list$/u, /^(?:--porcelain|-v|-z)$/u],
  ['submodule', /^status$/u, /^(?:--recursive|--cached|[^-].*)$/u],
  ['reflog', /^show$/u, /^(?:[^-].*|-\d{1,6}|--oneline|--date=.*)$/u],
  ['notes', /^(?:list|show)$/u, /^[^-].*$/u],
  ['config', /^(?:--list|-l)$/u, /^(?:--show-origin|--show-scope|--name-only|--global|--local|--system|-z)$/u],
  ['config', /^(?:--get|--get-all|--get-regexp)$/u, /^[^-].*$/u],
  ['symbolic-ref', /^(?:--short|-q)$/u, /^[^-].*$/u],
];

/** Options by which a reading subcommand writes or runs something; git takes any beginning of them that is long enough. */
const WRITING = [
  '--output',
  '--ext-diff',
  '--textconv',
  '--filters',
  '--open-files-in-pager',
  '--exec-path',
  '--upload-pack',
  '--exec',
  '--paginate',
  '--batch-command',
];
/** `-O<pager>` of grep and `-o<file>`; the others take no letter of these. */
const WRITING_SHORT = /^-[^-]*[oO]/u;
/** Letters of `WRITING_SHORT` that are harmless for the subcommand. */
const HARMLESS_SHORT: Readonly<Record<string, RegExp>> = {
  'ls-files': /^-[a-z]*o[a-z]*$/u,
  grep: /^-[a-z]*o[a-z]*$/u,
};
/** Settings for one call that only change how something looks. */
const HARMLESS_SETTING =
  /^(?:color\.[a-z.-]+|core\.quote[pP]ath|core\.pager=cat|advice\.[a-zA-Z]+|log\.[a-zA-Z]+)(?:=[\w%-]*)?$/u;

/** The subcommand (`git log`) when the line only reads; undefined otherwise. */
export function gitReaderName(words: readonly ShellWord[]): string | undefined {
  const at = subcommandPlace(words);
  const subcommand = at === undefined ? undefined : literal(words[at]);
  if (at === undefined || subcommand === undefined) return undefined;
  const rest = words.slice(at + 1);
  return reads(subcommand, rest) ? `git ${subcommand}` : undefined;
}

/** Where the subcommand stands behind options of git itself; undefined when one of them could change what runs. */
function subcommandPlace(words: readonly ShellWord[]): number | undefined {
  for (let at = 0; at < words.length; at += 1) {
    const text = literal(words[at]);
    if (text === undefined) return undefined;
    if (!text.startsWith('-')) return at;
    if (text === '--version' && words.length === 1) return at;
    if (/^(?:--no-pager|-P|--no-optional-locks|--literal-pathspecs|--git-dir=.+|--work-tree=.+)$/u.test(text)) continue;
    const value = words[(at += 1)];
    if (value === undefined || value.expansion === 'split' || value.expansion === 'glob') return undefined;
    if (text === '-C') continue;
    if (text !== '-c' || value.expansion !== 'no' || !HARMLESS_SETTING.test(value.text)) return undefined;
  }
  return undefined;
}

function reads(subcommand: string, rest: readonly ShellWord[]): boolean {
  if (subcommand === '--version') return true;
  if (READERS.has(subcommand))
    return rest.every((word) => isHarmless(subcommand, word)) && !takesObjects(subcommand, rest);
  const texts = rest.map(literal);
  if (!texts.every((text) => text !== undefined)) return false;
  const [second = '', ...others] = texts;
  if (
    PAIRS.some(
      ([first, pair, after]) => first === subcommand && pair.test(second) && others.every((o) => after.test(o)),
    )
  )
    return true;
  if (subcommand === 'symbolic-ref') return texts.length === 1 && !second.startsWith('-');
  if ((subcommand === 'tag' || subcommand === 'branch') && /^(?:-l|--list)$/u.test(second))
    return others.every((text) => !text.startsWith('-'));
  const listing = Object.hasOwn(LISTINGS, subcommand) ? LISTINGS[subcommand] : undefined;
  return listing !== undefined && texts.every((text) => listing.test(text));
}

/** `git cat-file` runs configured filters for some objects. */
function takesObjects(subcommand: string, rest: readonly ShellWord[]): boolean {
  return subcommand === 'cat-file' && !rest.every(({ text }) => /^(?:-[tsep]|--batch(?:-check)?|[^-].*)$/u.test(text));
}

function isHarmless(subcommand: string, word: ShellWord): boolean {
  const { text, expansion } = word;
  if (expansion !== 'no') return isOperand(word);
  if (!text.startsWith('-')) return true;
  const name = text.replace(/=[\s\S]*$/u, '');
  if (name.startsWith('--')) return name === '--' || !WRITING.some((writing) => isBeginning(name, writing));
  const harmless = Object.hasOwn(HARMLESS_SHORT, subcommand) ? HARMLESS_SHORT[subcommand] : undefined;
  // `-G`, `-S` and `-L` take the rest of their word as a pattern or a place.
  return !WRITING_SHORT.test(text) || harmless?.test(text) === true || /^-[SGL]/u.test(text);
}

function isBeginning(name: string, option: string): boolean {
  return name.length > 2 && (option.startsWith(name) || name === option) && name !== '--text';
}

function literal(word: ShellWord | undefined): string | undefined {
  return word?.expansion === 'no' ? word.text : undefined;
}
