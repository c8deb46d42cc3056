import { member, stringValue, type JsonNode } from '../json';

/** Commands that only read, whatever their arguments, once redirections and substitutions are excluded. */
const READERS: ReadonlySet<string> = new Set(
  (
    'ls cat head tail grep egrep fgrep rg wc pwd echo printf which whereis type file stat du df diff cmp comm cut tr nl ' +
    'tac rev basename dirname realpath readlink md5sum sha1sum sha256sum ps whoami id uname uptime tree cd true false ' +
    'test [ find jq column sort'
  ).split(' '),
);

/** Subcommands of git that only read, whatever their arguments but those of `WRITING_OPTIONS`. */
const GIT_READERS: ReadonlySet<string> = new Set(
  'status log diff show rev-parse ls-files ls-tree blame cat-file describe shortlog rev-list merge-base'.split(' '),
);

/** Subcommands of git that only read while every argument is one of these. */
const GIT_LISTINGS: Readonly<Record<string, RegExp>> = {
  branch: /^(?:-a|-r|-v|-vv|--all|--list|--remotes|--show-current)$/u,
  remote: /^-v$/u,
  tag: /^(?:-l|--list)$/u,
  stash: /^list$/u,
};

/** Options by which a reader writes or runs something after all. */
const WRITING_OPTIONS: Readonly<Record<string, RegExp>> = {
  git: /^(?:--output(?:=|$)|-o$|--ext-diff|--textconv|-c$|--exec-path|--open-files-in-pager|-O)/u,
  rg: /^--(?:pre|hostname-bin)/u,
  tree: /^-o/u,
  tail: /^(?:-[a-zA-Z]*[fF]|--follow|--retry)/u,
  diff: /^--output/u,
  file: /^-[a-zA-Z]*C/u,
  find: /^-(?:exec|execdir|ok|okdir|delete|fprint|fprint0|fprintf|fls)$/u,
  sort: /^(?:-[a-zA-Z]*[oT]|--(?:output|compress-program|temporary-directory|files0-from))/u,
};

/** Longer lines are scripts. */
const MAX_LINE_CHARS = 2_000;

/** Arguments of an exec tool that may hold the command line. */
const COMMAND_ARGUMENTS = ['command', 'cmd'];

/** Outside of quotes, any of these can write or run something that the words do not show. */
const HAZARD = /[>\\\r\n(){}#]|(?<!&)&(?!&)/u;
/** Inside of quotes too: substitutions, and escapes that hide where a quote ends. */
const HAZARD_ANYWHERE = /`|\$[({]|\$'|\\['"`$\\\n]/u;
/** The one form of sed that is known to print lines and nothing else. */
const SED_PRINT = /^(?:\d{1,7}|\$)(?:,(?:\d{1,7}|\$))?p$/u;

/**
 * The names of the commands on an exec call's line, when every one of them is known to only read; else undefined.
 * Refuses whatever it does not fully understand: redirections, substitutions, subshells, several lines, variables
 * before a command, background jobs.
 */
export function proveCommandReads(args: JsonNode | undefined): readonly string[] | undefined {
  const line = COMMAND_ARGUMENTS.map((name) => stringValue(member(args, name))).find((text) => text !== undefined);
  if (line === undefined || line.trim() === '' || line.length > MAX_LINE_CHARS) return undefined;
  // The commonest harmless redirections: errors thrown away or joined.
  const plain = line.trim().replaceAll(/\s2>(?:\/dev\/null|&1)(?=\s|$|[|;&])/gu, ' ');
  const bare = withoutQuoted(plain);
  if (HAZARD_ANYWHERE.test(plain) || HAZARD.test(bare) || /['"]/u.test(bare)) return undefined;
  const commands = splitCommands(plain).map(readerName);
  return commands.length > 0 && commands.every((name) => name !== undefined) ? commands : undefined;
}

function withoutQuoted(line: string): string {
  return line.replaceAll(/'[^']*'|"[^"]*"/gu, 'q');
}

function splitCommands(line: string): string[] {
  return line.split(/\s*(?:&&|\|\||\||;)\s*(?=(?:[^'"]|'[^']*'|"[^"]*")*$)/u);
}

function readerName(command: string): string | undefined {
  const words = (command.match(/(?:[^\s'"]|'[^']*'|"[^"]*")+/gu) ?? []).map((word) => word.replaceAll(/['"]/gu, ''));
  const [name = '', ...rest] = words;
  const writing = Object.hasOwn(WRITING_OPTIONS, name) ? WRITING_OPTIONS[name] : undefined;
  if (writing !== undefined && rest.some((word) => writing.test(word))) return undefined;
  if (READERS.has(name)) return name;
  if (name === 'sed')
    return rest[0] === '-n' && SED_PRINT.test(rest[1] ?? '') && rest.slice(2).every(isPlainWord) ? name : undefined;
  return name === 'git' ? gitReaderName(rest) : undefined;
}

function gitReaderName([subcommand = '', ...rest]: readonly string[]): string | undefined {
  const listing = Object.hasOwn(GIT_LISTINGS, subcommand) ? GIT_LISTINGS[subcommand] : undefined;
  // `git stash` alone stashes; the other listings list when nothing follows.
  const lists =
    listing !== undefined && rest.every((word) => listing.test(word)) && (subcommand !== 'stash' || rest.length > 0);
  return GIT_READERS.has(subcommand) || lists ? `git ${subcommand}` : undefined;
}

function isPlainWord(word: string): boolean {
  return !word.startsWith('-');
}
