import { member, stringValue, type JsonNode } from '../json';

/** Commands that only read, whatever their arguments, once redirections and substitutions are excluded. */
const READERS: ReadonlySet<string> = new Set(
  'ls cat head tail grep egrep fgrep rg wc pwd echo printf which whereis type file stat du df diff cmp comm cut tr nl tac rev basename dirname realpath readlink md5sum sha1sum sha256sum ps whoami id uname uptime tree cd true false test ['.split(
    ' ',
  ),
);

/** Subcommands of git that only read; those with a writing form need their own check. */
const GIT_READERS: ReadonlySet<string> = new Set(
  'status log diff show rev-parse ls-files ls-tree blame cat-file describe shortlog rev-list merge-base'.split(' '),
);

/** Options by which a reader writes or runs something after all. */
const WRITING_OPTIONS: Readonly<Record<string, RegExp>> = {
  git: /^(?:--output(?:=|$)|-o$|--ext-diff|--textconv|-c$|--exec-path|--open-files-in-pager|-O)/u,
  rg: /^--(?:pre|hostname-bin)/u,
  tree: /^-o/u,
  tail: /^(?:-[a-zA-Z]*[fF]|--follow|--retry)/u,
  diff: /^--output/u,
  file: /^-[a-zA-Z]*C/u,
};

/** Longer lines are scripts. */
const MAX_LINE_CHARS = 2_000;

/** Arguments of an exec tool that may hold the command line. */
const COMMAND_ARGUMENTS = ['command', 'cmd'];

/** A line with any of these can write or run something that the words do not show. */
const HAZARD = /[`>\\\r\n(){}#]|\$\(|<\(|<<|\$'|(?<!&)&(?!&)/u;

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
  if (HAZARD.test(bare) || /['"]/u.test(bare)) return undefined;
  if (/"[^"]*[`$\\][^"]*"/u.test(plain)) return undefined;
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
  if (name === 'git') return GIT_READERS.has(rest[0] ?? '') ? `git ${rest[0] ?? ''}` : undefined;
  if (name === 'sort')
    return rest.some((word) => /^-[a-zA-Z]*o|^--(?:output|compress-program)/u.test(word)) ? undefined : name;
  return undefined;
}
