import { findReads } from './find-reader';
import { gitReaderName } from './git-reader';
import { operandsOf, type OptionRules } from './option-rules';
import { isHarmlessName } from './read-shell';
import { isOperand, type ShellWord } from './shell-word';
import { awkReads, sedReads } from './stream-editors';

/** Commands that only read, or only compute, whatever their arguments are. */
const READS_ANYTHING: ReadonlySet<string> = new Set(
  (
    'ls cat head grep egrep fgrep wc pwd echo which whereis type stat du df cmp comm cut tr nl tac rev basename dirname ' +
    'realpath readlink md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum ps whoami id groups uname ' +
    'uptime cd true false : jq column fold expand unexpand paste join od hexdump strings seq expr printenv nproc ' +
    'pgrep pidof tsort factor free lscpu lsblk sleep'
  ).split(' '),
);

/** Commands that only read with no other options than these. */
const READS_WITH: Readonly<Record<string, OptionRules>> = {
  sort: {
    flags: 'bdfghiMnRrVcCmsuz',
    valued: 'kt',
    long: [
      '--reverse',
      '--numeric-sort',
      '--general-numeric-sort',
      '--human-numeric-sort',
      '--version-sort',
      '--unique',
      '--key',
      '--field-separator',
      '--ignore-case',
      '--stable',
      '--check',
      '--zero-terminated',
    ],
  },
  uniq: { flags: 'cdDiuz', valued: 'fsw', long: ['--count', '--repeated', '--unique', '--ignore-case'], operands: 1 },
  tail: { flags: 'qvrz', valued: 'nc', long: ['--lines', '--bytes', '--quiet', '--verbose'], numbers: true },
  diff: {
    flags: 'abBdeiNnpqrstTuwycE',
    valued: 'UCxIWFDS',
    long: [
      '--brief',
      '--unified',
      '--recursive',
      '--color',
      '--side-by-side',
      '--ignore-all-space',
      '--ignore-space-change',
      '--ignore-blank-lines',
      '--new-file',
      '--exclude',
      '--report-identical-files',
      '--strip-trailing-cr',
      '--suppress-common-lines',
      '--width',
      '--text',
    ],
    numbers: true,
  },
  tree: {
    flags: 'adflpshuDFgtrcviCnAJXS',
    valued: 'LIP',
    long: [
      '--dirsfirst',
      '--noreport',
      '--gitignore',
      '--prune',
      '--du',
      '--charset',
      '--filelimit',
      '--sort',
      '--matchdirs',
    ],
  },
  file: { flags: 'biIkLhr0', long: ['--brief', '--mime', '--mime-type', '--mime-encoding', '--dereference'] },
  base64: { flags: 'dD', long: ['--decode'], operands: 1 },
  date: {
    flags: 'uR',
    valued: 'dr',
    long: ['--date', '--utc', '--iso-8601', '--rfc-3339', '--universal', '--reference'],
    operands: 1,
  },
  hostname: { flags: 'fsiIdA', operands: 0 },
  env: { flags: '0', operands: 0 },
  bc: { flags: 'lq' },
  fd: {
    flags: 'HIuasiglLp0F',
    valued: 'tedEj',
    long: [
      '--hidden',
      '--no-ignore',
      '--type',
      '--extension',
      '--max-depth',
      '--exclude',
      '--glob',
      '--absolute-path',
      '--full-path',
    ],
  },
  printf: {},
  read: { flags: 'rs' },
  command: { flags: 'vV' },
  test: {},
};

/** Programs that say their version and nothing else. */
const SAY_VERSION: ReadonlySet<string> = new Set(
  (
    'node npm bun deno python python3 pip pip3 ruby perl php java javac gcc g++ clang make ' +
    'cmake docker kubectl git gh psql mysql sqlite3 redis-cli tsc eslint jest bash zsh curl wget rg jq'
  ).split(' '),
);

/** A command with subcommands: those that only read, and the options that they may have. */
interface SubcommandRules {
  readonly reads: RegExp;
  readonly options: RegExp;
}

const PIP: SubcommandRules = {
  reads: /^(?:list|show|freeze|check)(?: |$)/u,
  options: /^(?:-v|--(?:format|outdated|uptodate|files|verbose|user|local)(?:=.*)?)$/u,
};

const SUBCOMMANDS: Readonly<Record<string, SubcommandRules>> = {
  gh: {
    reads:
      /^(?:(?:pr|issue) (?:view|list|status)|pr (?:diff|checks)|(?:run|repo|release|workflow|gist|label) (?:view|list)|search (?:code|commits|issues|prs|repos))$/u,
    options:
      /^(?:-[RLsAlBjq].*|-c|--(?:json|jq|template|limit|state|repo|author|label|comments|log|log-failed|head|base|search|name-only|patch|color|job|branch|status|user|event|workflow|exit-status|verbose)(?:=.*)?)$/u,
  },
  npm: {
    reads: /^(?:ls|list|outdated|root|prefix|view)(?: |$)/u,
    options: /^(?:-g|--(?:json|depth|all|global|long|parseable|prod|production)(?:=.*)?)$/u,
  },
  pip: PIP,
  pip3: PIP,
  docker: {
    reads:
      /^(?:(?:ps|images|inspect|logs|port|top|version|info|history)(?: |$)|(?:container|image|volume|network) (?:ls|inspect)$)/u,
    options:
      /^(?:-[aqnt]|--(?:all|quiet|no-trunc|format|filter|tail|since|until|timestamps|size|latest|type)(?:=.*)?)$/u,
  },
  kubectl: {
    reads: /^(?:get|describe|logs|top|explain|api-resources|version)(?: |$)/u,
    options:
      /^(?:-A|-[nolc].*|--(?:namespace|output|selector|all-namespaces|container|tail|since|previous|show-labels|sort-by|field-selector|no-headers|context|containers)(?:=.*)?)$/u,
  },
  dpkg: { reads: /^-[lLsS](?: |$)/u, options: /^-[lLsS]$/u },
};

/** The name of a simple command that only reads; undefined for any other. */
export function readerName(words: readonly ShellWord[]): string | undefined {
  const [first, ...rest] = words;
  const name = first === undefined ? undefined : commandName(first);
  if (name === undefined) return undefined;
  if (READS_ANYTHING.has(name)) return name;
  switch (name) {
    case 'git':
      return gitReaderName(rest);
    case 'find':
      return findReads(rest, readsAnything) ? name : undefined;
    case 'sed':
    case 'gsed':
      return sedReads(rest) ? name : undefined;
    case 'awk':
    case 'gawk':
    case 'mawk':
    case 'nawk':
      return awkReads(rest) ? name : undefined;
    case 'rg':
      return rest.every(isHarmlessForRipgrep) ? name : undefined;
    case '[':
    case 'test':
      return testReads(rest) ? name : undefined;
    case 'printf':
      return rest[0]?.expansion === 'no' && !rest[0].text.startsWith('-') ? name : undefined;
    case 'read':
      return (operandsOf(rest, READS_WITH['read'] ?? {}) ?? [undefined]).every(
        (word) => word?.expansion === 'no' && isHarmlessName(word.text),
      )
        ? name
        : undefined;
    case 'command':
      return rest[0]?.expansion === 'no' && /^-[vV]$/u.test(rest[0].text) ? name : readerName(rest);
    case 'timeout':
      return rest[0]?.expansion === 'no' && /^\d{1,6}(?:\.\d{1,3})?[smh]?$/u.test(rest[0].text)
        ? readerName(rest.slice(1))
        : undefined;
    case 'xargs':
      return xargsReads(rest) ? name : undefined;
    case 'tar':
      return /^-?[jJzv]*t[jJzv]*f?$/u.test(rest[0]?.text ?? '') && rest.slice(1).every(isPlain) ? name : undefined;
    case 'unzip':
      return rest[0]?.text === '-l' && rest.slice(1).every(isPlain) ? name : undefined;
    case 'date':
      return dateReads(rest) ? name : undefined;
  }
  if (SAY_VERSION.has(name) && rest.length === 1 && rest[0]?.text === '--version' && rest[0].expansion === 'no')
    return name;
  const rules = Object.hasOwn(READS_WITH, name) ? READS_WITH[name] : undefined;
  if (rules !== undefined) return operandsOf(rest, rules) === undefined ? undefined : name;
  return subcommandReader(name, rest);
}

/** Places where a system's own programs are. */
const PROGRAM_PATH = /^(?:\/usr(?:\/local)?|\/opt\/homebrew)?\/bin\/(?=[\w.[+-]+$)/u;

function commandName({ text, expansion, prefix }: ShellWord): string | undefined {
  // A lone bracket is a command, not the names of files.
  if (expansion === 'glob' && text === '[' && prefix === '') return '[';
  return expansion === 'no' ? text.replace(PROGRAM_PATH, '') : undefined;
}

/** True for a command that reads whatever words are added to it. */
function readsAnything([first]: readonly ShellWord[]): boolean {
  const name = first === undefined ? undefined : commandName(first);
  return name !== undefined && READS_ANYTHING.has(name);
}

const XARGS_RULES = { flags: '0rt', valued: 'nPLsdEI' };

/** The command of xargs gets words from elsewhere: it must read with any, and none of them may take its name's place. */
function xargsReads(words: readonly ShellWord[]): boolean {
  const start = xargsCommandPlace(words);
  if (start === undefined) return false;
  const command = words.slice(start);
  if (command.length === 0) return true;
  const replaced = words.slice(0, start).some(({ text }) => text.startsWith('-I'));
  const name = command[0]?.text ?? '';
  return readsAnything(command) && !(replaced && words.slice(0, start).some(({ text }) => mayStandFor(text, name)));
}

/** True when a word that xargs replaces could be a part of the command's name. */
function mayStandFor(option: string, name: string): boolean {
  const mark = option.startsWith('-I') ? option.slice(2) : option;
  return mark !== '' && name.includes(mark);
}

function xargsCommandPlace(words: readonly ShellWord[]): number | undefined {
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    if (word?.expansion !== 'no') return undefined;
    if (!word.text.startsWith('-')) return at;
    // In a cluster it would be overlooked.
    if (/^-[^-I]+I/u.test(word.text)) return undefined;
    if (operandsOf([word], XARGS_RULES) !== undefined) continue;
    const value = words[(at += 1)];
    if (value?.expansion !== 'no' || operandsOf([word, value], XARGS_RULES) === undefined) return undefined;
  }
  return words.length;
}

function isHarmlessForRipgrep(word: ShellWord): boolean {
  return word.expansion === 'no' ? !/^--(?:pre(?!-glob)|hostname-bin)/u.test(word.text) : isOperand(word);
}

const NUMERIC_TEST = /^-(?:eq|ne|lt|le|gt|ge)$/u;

/** `test -v` looks into a variable and some shells compute what they compare: an index in there may run a command. */
function testReads(words: readonly ShellWord[]): boolean {
  const computes = words.some(({ text }) => NUMERIC_TEST.test(text));
  return words.every(({ text, expansion }) => {
    if (expansion === 'split' || (expansion === 'no' && /^-[vR]$/u.test(text))) return false;
    return !computes || (expansion === 'no' && !text.includes('['));
  });
}

/** A literal operand that names no other machine, as `host:file` does. */
function isPlain({ text, expansion }: ShellWord): boolean {
  return expansion === 'no' && !text.startsWith('-') && !text.includes(':');
}

/** A date without a leading plus would be set. */
function dateReads(words: readonly ShellWord[]): boolean {
  const operands = operandsOf(words, READS_WITH['date'] ?? {});
  return operands !== undefined && operands.every(({ text, expansion }) => expansion === 'no' && text.startsWith('+'));
}

function subcommandReader(name: string, rest: readonly ShellWord[]): string | undefined {
  const rules = Object.hasOwn(SUBCOMMANDS, name) ? SUBCOMMANDS[name] : undefined;
  if (rules === undefined || !rest.every(({ expansion }) => expansion === 'no')) return undefined;
  const [first = '', second = ''] = rest.map(({ text }) => text);
  const harmless = rest.every(({ text }) => !text.startsWith('-') || rules.options.test(text));
  return harmless && rules.reads.test(`${first} ${second}`.trim()) ? `${name} ${first}` : undefined;
}
