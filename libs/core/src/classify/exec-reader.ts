import { items, memberEntries, stringValue, type JsonNode } from '../json';
import { isHarmlessName, literalWord, readerName, readShell, type ShellAssignment, type SimpleCommand } from '../shell';

/** Arguments of an exec tool that may hold the command line. */
const COMMAND_ARGUMENTS: ReadonlySet<string> = new Set(['command', 'cmd']);

/** Arguments that change what a line means, or that it is one: more input, other variables, a job that goes on. */
const MEANING_ARGUMENTS =
  /^(?:env|environment|stdin|input|is_input|chars|keys|run_in_background|background|detach|is_background)$/u;

/** Programs that read a command line from the word behind `-c`. */
const SHELLS = /^(?:\/(?:usr\/)?bin\/)?(?:ba|z|da)?sh$/u;
const SHELL_OPTIONS = /^-l?c$/u;

/** Variables that change how a command writes, not what it does, with the values that are known to. */
const HARMLESS_VARIABLES: Readonly<Record<string, RegExp>> = {
  LANG: /^[\w.@-]*$/u,
  LC_ALL: /^[\w.@-]*$/u,
  TZ: /^[\w/+-]*$/u,
  NO_COLOR: /^\w*$/u,
  FORCE_COLOR: /^\w*$/u,
  TERM: /^(?:dumb|xterm|xterm-256color)$/u,
  COLUMNS: /^\d{1,4}$/u,
  PAGER: /^(?:cat)?$/u,
  GIT_PAGER: /^(?:cat)?$/u,
  GH_PAGER: /^(?:cat)?$/u,
};

/**
 * The names of the commands on an exec call's line, when every one of them is known to only read; else undefined.
 *
 * The line is one for a POSIX shell, or a list of words that is run as it stands. Every simple command counts, those of
 * pipes, loops, subshells and substitutions included. What is not fully understood is no read: here-documents, arithmetic,
 * functions, background jobs, redirections to files, variables that steer a program, and arguments of the call that add
 * input or variables.
 */
export function proveCommandReads(args: JsonNode | undefined): readonly string[] | undefined {
  const members = memberEntries(args);
  const [given, ...more] = members.filter(({ key }) => COMMAND_ARGUMENTS.has(key));
  if (given === undefined || more.length > 0) return undefined;
  if (members.some(({ key, value }) => MEANING_ARGUMENTS.test(key) && isSet(value))) return undefined;
  const commands = commandsOf(given.value);
  if (commands === undefined || commands.length === 0) return undefined;
  const names = commands.map((command) => (isHarmlesslyAssigned(command) ? nameOf(command) : undefined));
  return names.every((name) => name !== undefined) ? [...new Set(names)] : undefined;
}

function commandsOf(node: JsonNode): readonly SimpleCommand[] | undefined {
  const line = stringValue(node);
  if (line !== undefined) return readShell(line);
  const words = items(node).map((item) => stringValue(item));
  if (words.length === 0 || !words.every((word) => word !== undefined)) return undefined;
  const [program = '', option = '', script] = words;
  if (SHELLS.test(program))
    return SHELL_OPTIONS.test(option) && script !== undefined && words.length === 3 ? readShell(script) : undefined;
  return [{ assignments: [], words: words.map(literalWord) }];
}

function nameOf({ words, assignments }: SimpleCommand): string | undefined {
  return words.length === 0 ? assignments.map(({ name }) => `${name}=`).join(' ') : readerName(words);
}

function isHarmlesslyAssigned({ assignments, words }: SimpleCommand): boolean {
  return assignments.every((assignment) =>
    words.length === 0 ? isHarmlessName(assignment.name) : isHarmlessVariable(assignment),
  );
}

function isHarmlessVariable({ name, value }: ShellAssignment): boolean {
  const known = Object.hasOwn(HARMLESS_VARIABLES, name) ? HARMLESS_VARIABLES[name] : undefined;
  return known !== undefined && value.expansion === 'no' && known.test(value.text);
}

/** False for what says no: absent, false, empty, `"false"`. */
function isSet(node: JsonNode): boolean {
  switch (node.kind) {
    case 'null':
      return false;
    case 'boolean':
      return node.value;
    case 'string':
      return node.value !== '' && node.value !== 'false';
    case 'object':
      return node.members.length > 0;
    case 'array':
      return node.items.length > 0;
    case 'number':
      return true;
  }
}
