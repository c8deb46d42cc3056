import type { Expansion, ShellAssignment, ShellWord, SimpleCommand } from './shell-word';

/** Longer lines are scripts. */
const MAX_LINE_CHARS = 8_000;
/** Substitutions and subshells are followed this deep. */
const MAX_NESTING = 8;

/** What no line of text holds, and what could hide where a word ends. */
const STRANGE = /[\0-\x08\x0b-\x1f\x7f-\x9f]|\p{Cs}|\p{Cn}|\p{Co}/u;
const PLAIN_UNQUOTED = /^[\x21-\x7e\p{L}\p{N}\p{M}]$/u;
const NAME = /[A-Za-z_][A-Za-z0-9_]*/uy;
/** Characters behind an exclamation mark that make it a reference to earlier commands. */
const HISTORY = /^[A-Za-z0-9!?#$*^:"-]$/u;
/** Words in front of a command that are no command. */
const LEADS: ReadonlySet<string> = new Set(['if', 'then', 'elif', 'else', 'while', 'until', 'do', '!', 'time']);
const ENDS: ReadonlySet<string> = new Set(['fi', 'done']);

/**
 * Every simple command of a line for a POSIX shell (sh, bash, zsh, dash), those of substitutions and subshells
 * included; undefined for whatever is not fully understood. Redirections that change no file are let through: to
 * `/dev/null`, from files, between descriptors. Linear in the line.
 */
export function readShell(line: string): readonly SimpleCommand[] | undefined {
  if (line.length > MAX_LINE_CHARS || STRANGE.test(line)) return undefined;
  const reader = new LineReader(line);
  return reader.list(0, false) && reader.isDone() ? reader.commands : undefined;
}

/** A word as it is read. */
interface WordDraft {
  text: string;
  prefix: string | undefined;
  expansion: Expansion;
  bare: boolean;
  /** Text in front of the first bare `=`, where it is a name. */
  assigned: string | undefined;
  braces: string;
}

class LineReader {
  readonly commands: SimpleCommand[] = [];
  private at = 0;

  constructor(private readonly line: string) {}

  isDone(): boolean {
    return this.at >= this.line.length;
  }

  /** Reads commands up to the end, or to the `)` of a substitution, which is consumed. */
  list(depth: number, inParentheses: boolean): boolean {
    if (depth > MAX_NESTING) return false;
    for (;;) {
      if (!this.command(depth)) return false;
      const char = this.line[this.at];
      if (char === undefined) return !inParentheses;
      if (char === ')') {
        this.at += 1;
        return inParentheses;
      }
      if (!this.separator()) return false;
    }
  }

  private separator(): boolean {
    const separator = /(?:&&|\|\||\|&?|;(?![;&|])|\n)/uy;
    separator.lastIndex = this.at;
    const found = separator.exec(this.line);
    if (found === null) return false;
    this.at = separator.lastIndex;
    return true;
  }

  private command(depth: number): boolean {
    const words: ShellWord[] = [];
    const assignments: ShellAssignment[] = [];
    /** `closed`: nothing but redirections may follow; `header`: words of a `for`. */
    let state: 'start' | 'words' | 'closed' | 'for' | 'header' = 'start';
    for (;;) {
      this.blanks();
      const char = this.line[this.at];
      if (char === undefined || /[;|)\n]/u.test(char) || (char === '&' && this.line[this.at + 1] !== '>')) break;
      if (char === '#') {
        if (!this.comment()) return false;
        continue;
      }
      if (char === '(') {
        if (state !== 'start' || assignments.length > 0 || this.line[this.at + 1] === '(') return false;
        this.at += 1;
        if (!this.list(depth + 1, true)) return false;
        state = 'closed';
        continue;
      }
      if (char === '<' || char === '>' || char === '&') {
        const answer = this.redirection(depth);
        if (answer === undefined) return false;
        // Where `&>` is unknown, what stands behind it is the next command.
        if (char === '&') state = 'closed';
        if (answer === 'nothing') continue;
        if (state === 'closed') return false;
        words.push(answer);
        state = 'words';
        continue;
      }
      const draft = this.word(depth);
      if (draft === undefined) return false;
      const word = finished(draft);
      if (/^[<>]$/u.test(this.line[this.at] ?? '')) {
        if (word.bare && /^\d+$/u.test(word.text)) continue;
        // `a<(b)` is one word, and `{fd}>` opens a descriptor.
        if (this.line[this.at + 1] === '(' || word.text.endsWith('}')) return false;
      }
      if (state === 'closed') return false;
      if (state === 'for') {
        if (!word.bare || !isHarmlessName(word.text)) return false;
        state = 'header';
      } else if (state === 'header') {
        // The words of a loop are values of its variable.
      } else if (state === 'start' && draft.assigned !== undefined) {
        assignments.push({ name: draft.assigned, value: valueOf(word, draft.assigned) });
      } else if (state === 'start' && assignments.length === 0 && word.bare && LEADS.has(word.text)) {
        // The command comes behind it.
      } else if (state === 'start' && assignments.length === 0 && word.bare && ENDS.has(word.text)) {
        state = 'closed';
      } else if (state === 'start' && assignments.length === 0 && word.bare && word.text === 'for') {
        state = 'for';
      } else {
        words.push(word);
        state = 'words';
      }
    }
    if (state === 'for') return false;
    if (words.length > 0 || assignments.length > 0) this.commands.push({ assignments, words });
    return true;
  }

  private blanks(): void {
    for (;;) {
      const char = this.line[this.at];
      if (char === ' ' || char === '\t') this.at += 1;
      else if (char === '\\' && this.line[this.at + 1] === '\n') this.at += 2;
      else return;
    }
  }

  /** A comment where shells agree that it is one: nothing in it would do anything if it were none. */
  private comment(): boolean {
    const end = this.line.indexOf('\n', this.at);
    const text = this.line.slice(this.at, end < 0 ? this.line.length : end);
    this.at += text.length;
    return !/[;&|<>`$()\\]/u.test(text);
  }

  /** `nothing` for a redirection that changes no file, a word for a process substitution; undefined otherwise. */
  private redirection(depth: number): ShellWord | 'nothing' | undefined {
    const operator = /(?:<<<|<\(|<&|<(?![<>])|&>>?|>&|>>?(?![>|(&]))/uy;
    operator.lastIndex = this.at;
    const found = operator.exec(this.line)?.[0];
    if (found === undefined) return undefined;
    this.at = operator.lastIndex;
    if (found === '<(') {
      if (!this.list(depth + 1, true)) return undefined;
      return { text: '/dev/fd/63', prefix: '/dev/fd/63', expansion: 'no', bare: false };
    }
    this.blanks();
    const draft = this.word(depth);
    if (draft === undefined) return undefined;
    const target = finished(draft);
    if (found === '<<<') return 'nothing';
    if (target.expansion !== 'no') return undefined;
    if (found === '>&' || found === '<&') return /^(?:\d|-)$/u.test(target.text) ? 'nothing' : undefined;
    if (found === '<') return /^\/dev\/(?:tcp|udp)\b|\/\.\.?\/|\/\//u.test(target.text) ? undefined : 'nothing';
    return target.text === '/dev/null' ? 'nothing' : undefined;
  }

  private word(depth: number): WordDraft | undefined {
    const draft: WordDraft = {
      text: '',
      prefix: undefined,
      expansion: 'no',
      bare: true,
      assigned: undefined,
      braces: '',
    };
    const start = this.at;
    for (;;) {
      const char = this.line[this.at];
      if (char === undefined || /[ \t\n;&|<>()]/u.test(char)) {
        // An escaped line end alone is no word.
        return this.at === start ? undefined : draft;
      }
      if (!this.piece(char, draft, depth)) return undefined;
    }
  }

  private piece(char: string, draft: WordDraft, depth: number): boolean {
    const next = this.line[this.at + 1];
    switch (char) {
      case '\\':
        if (next === undefined) return false;
        this.at += 2;
        if (next !== '\n') this.literal(draft, next);
        else draft.bare = false;
        return next !== '\r';
      case "'": {
        const end = this.line.indexOf("'", this.at + 1);
        if (end < 0) return false;
        this.literal(draft, this.line.slice(this.at + 1, end));
        this.at = end + 1;
        return true;
      }
      case '"':
        return this.doubleQuoted(draft, depth);
      case '`':
        return false;
      case '$':
        return next !== "'" && next !== '"' && this.dollar(draft, depth, 'split');
      case '!':
        if (next !== undefined && HISTORY.test(next)) return false;
        break;
      case '~':
        if (draft.text === '' && next !== undefined && !/^[\w./\s;&|-]$/u.test(next)) return false;
        break;
      case '*':
      case '?':
      case '[':
        expands(draft, 'glob');
        break;
      case '{':
      case ',':
      case '}':
      case '.':
        draft.braces += char;
        break;
      case '=':
        if (draft.assigned === undefined && draft.bare && draft.expansion === 'no') draft.assigned = nameIn(draft.text);
        break;
      default: {
        const point = String.fromCodePoint(this.line.codePointAt(this.at) ?? 0);
        if (!PLAIN_UNQUOTED.test(point)) return false;
        draft.text += point;
        this.at += point.length;
        return true;
      }
    }
    draft.text += char;
    this.at += 1;
    return true;
  }

  private literal(draft: WordDraft, text: string): void {
    draft.text += text;
    draft.bare = false;
  }

  private doubleQuoted(draft: WordDraft, depth: number): boolean {
    draft.bare = false;
    this.at += 1;
    for (;;) {
      const char = this.line[this.at];
      const next = this.line[this.at + 1];
      if (char === undefined || char === '`') return false;
      if (char === '"') {
        this.at += 1;
        return true;
      }
      if (char === '\\' && next !== undefined && /["$`\\\n]/u.test(next)) {
        if (next !== '\n') draft.text += next;
        this.at += 2;
      } else if (char === '$') {
        if (!this.dollar(draft, depth, 'one')) return false;
      } else {
        if (char === '!' && next !== undefined && next !== '"' && HISTORY.test(next)) return false;
        draft.text += char;
        this.at += 1;
      }
    }
  }

  /** A variable or a substitution whose commands are read, too; a lone dollar is itself. */
  private dollar(draft: WordDraft, depth: number, expansion: Expansion): boolean {
    const rest = this.line.slice(this.at + 1, this.at + 3);
    if (rest.startsWith('((') || rest.startsWith('[')) return false;
    if (rest.startsWith('(')) {
      this.at += 2;
      expands(draft, expansion);
      return this.list(depth + 1, true);
    }
    const braced = rest.startsWith('{');
    const start = this.at + (braced ? 2 : 1);
    NAME.lastIndex = start;
    const name = NAME.exec(this.line)?.[0] ?? /^[0-9?#$!@*-]/u.exec(this.line.slice(start, start + 1))?.[0];
    if (name === undefined) {
      if (braced) return false;
      draft.text += '$';
      this.at += 1;
      return true;
    }
    if (braced && this.line[start + name.length] !== '}') return false;
    // `"$@"` is as many words as there are arguments.
    expands(draft, name === '@' ? 'split' : expansion);
    this.at = start + name.length + (braced ? 1 : 0);
    return true;
  }
}

const ORDER: readonly Expansion[] = ['no', 'one', 'glob', 'split'];

function expands(draft: WordDraft, expansion: Expansion): void {
  draft.prefix ??= draft.text;
  draft.bare = false;
  if (ORDER.indexOf(expansion) > ORDER.indexOf(draft.expansion)) draft.expansion = expansion;
}

function finished(draft: WordDraft): ShellWord {
  const { text, prefix = text, bare, braces } = draft;
  // Braces around a comma or two dots make several words.
  const many = /\{.*(?:,|\.\.).*\}/u.test(braces);
  return { text, prefix, expansion: many ? 'split' : draft.expansion, bare: bare && !many };
}

function valueOf(word: ShellWord, name: string): ShellWord {
  return { ...word, text: word.text.slice(name.length + 1), prefix: word.prefix.slice(name.length + 1) };
}

function nameIn(text: string): string | undefined {
  return /^[A-Za-z_]\w{0,80}$/u.test(text) ? text : undefined;
}

/** Names by which shells and programs are steered, in lower case. */
const STEERING: ReadonlySet<string> = new Set(
  (
    'path fpath cdpath manpath mailpath module_path prompt prompt2 prompt3 prompt4 histchars argv status pipestatus ' +
    'signals watch options aliases functions commands dirstack psvar zsh_eval_context http_proxy https_proxy ftp_proxy ' +
    'all_proxy no_proxy'
  ).split(' '),
);

/** True for a variable that is only a name for a value: lower case, and nothing looks at it by itself. */
export function isHarmlessName(name: string): boolean {
  return /^[a-z][a-z0-9_]{0,40}$/u.test(name) && !STEERING.has(name);
}
