/**
 * Regular expressions that take time linear in the text: no backtracking, so no pattern hangs. Literals, `.`, classes
 * (`[a-z]`, `[^0-9]`, `\d`, `\w`, `\s`), groups, `|`, `*`, `+` and `?`; a pattern matches the whole text, as in Prometheus.
 */
export interface LinearPattern {
  matches(text: string): boolean;
}

type Accepts = (character: string) => boolean;

/** Instructions of a machine that runs all its threads at once. */
type Instruction =
  | { readonly kind: 'take'; readonly accepts: Accepts }
  | { kind: 'split'; first: number; second: number }
  | { kind: 'jump'; to: number }
  | { readonly kind: 'done' };

const MOST_PATTERN_CHARACTERS = 256;
const MOST_DEPTH = 20;

export class PatternError extends Error {
  readonly code = 'PATTERN_INVALID';
}

const CLASSES: Readonly<Record<string, Accepts>> = {
  d: (character) => /^[0-9]$/.test(character),
  D: (character) => !/^[0-9]$/.test(character),
  w: (character) => /^[A-Za-z0-9_]$/.test(character),
  W: (character) => !/^[A-Za-z0-9_]$/.test(character),
  s: (character) => /^\s$/u.test(character),
  S: (character) => !/^\s$/u.test(character),
};

class Compiler {
  readonly program: Instruction[] = [];
  private at = 0;
  private readonly characters: readonly string[];

  constructor(pattern: string) {
    this.characters = Array.from(pattern);
  }

  compile(): readonly Instruction[] {
    this.alternatives(0);
    if (this.at < this.characters.length) throw new PatternError('There is a ) without its (.');
    this.program.push({ kind: 'done' });
    return this.program;
  }

  private peek(): string | undefined {
    return this.characters[this.at];
  }

  private takes(character: string): boolean {
    if (this.peek() !== character) return false;
    this.at += 1;
    return true;
  }

  private alternatives(depth: number): void {
    if (depth > MOST_DEPTH) throw new PatternError('The groups are nested too deeply.');
    const start = this.program.length;
    this.sequence(depth);
    const ends: { kind: 'jump'; to: number }[] = [];
    while (this.takes('|')) {
      const end = { kind: 'jump' as const, to: 0 };
      ends.push(end);
      this.program.push(end);
      this.insert(start, { kind: 'split', first: start + 1, second: this.program.length + 1 });
      this.sequence(depth);
    }
    for (const end of ends) end.to = this.program.length;
  }

  private sequence(depth: number): void {
    for (let next = this.peek(); next !== undefined && next !== '|' && next !== ')'; next = this.peek()) {
      const start = this.program.length;
      this.atom(depth);
      this.repetition(start);
    }
  }

  private repetition(start: number): void {
    for (let sign = this.peek(); sign === '*' || sign === '+' || sign === '?'; sign = this.peek()) {
      this.at += 1;
      if (sign === '+') {
        this.program.push({ kind: 'split', first: start, second: this.program.length + 1 });
        continue;
      }
      const loops = sign === '*';
      this.insert(start, { kind: 'split', first: start + 1, second: this.program.length + (loops ? 2 : 1) });
      if (loops) this.program.push({ kind: 'jump', to: start });
    }
    if (this.peek() === '{') throw new PatternError('Counted repetition is not supported: write it out.');
  }

  /** Puts an instruction in front of what was compiled from `start` on, and moves the targets within. */
  private insert(start: number, instruction: Instruction): void {
    for (const moved of this.program.slice(start)) {
      if (moved.kind === 'jump' && moved.to >= start) moved.to += 1;
      if (moved.kind === 'split') {
        if (moved.first >= start) moved.first += 1;
        if (moved.second >= start) moved.second += 1;
      }
    }
    this.program.splice(start, 0, instruction);
  }

  private atom(depth: number): void {
    const character = this.peek();
    this.at += 1;
    if (character === undefined || '*+?'.includes(character)) {
      throw new PatternError('There is nothing to repeat before a repetition.');
    }
    if (character === '(') {
      if (this.takes('?') && !this.takes(':')) throw new PatternError('Only plain groups and (?:) are supported.');
      this.alternatives(depth + 1);
      if (!this.takes(')')) throw new PatternError('There is a ( without its ).');
      return;
    }
    if ('{}^$'.includes(character)) {
      throw new PatternError(`"${character}" is not supported: a pattern always matches the whole text.`);
    }
    this.program.push({ kind: 'take', accepts: this.acceptsOf(character) });
  }

  private acceptsOf(character: string): Accepts {
    if (character === '.') return () => true;
    if (character === '[') return this.set();
    if (character === '\\') return this.escape();
    return (other) => other === character;
  }

  private escape(): Accepts {
    const character = this.peek();
    if (character === undefined) throw new PatternError('The pattern ends in a \\.');
    this.at += 1;
    const named = Object.hasOwn(CLASSES, character) ? CLASSES[character] : undefined;
    if (named !== undefined) return named;
    if (/^[A-Za-z0-9]$/.test(character)) throw new PatternError(`"\\${character}" is not supported.`);
    return (other) => other === character;
  }

  private set(): Accepts {
    const negated = this.takes('^');
    const parts: Accepts[] = [];
    for (let first = true; first || this.peek() !== ']'; first = false) {
      const from = this.peek();
      if (from === undefined) throw new PatternError('There is a [ without its ].');
      this.at += 1;
      if (from === '\\') parts.push(this.escape());
      else parts.push(this.range(from));
    }
    this.at += 1;
    return (character) => parts.some((accepts) => accepts(character)) !== negated;
  }

  private range(from: string): Accepts {
    const to = this.characters[this.at + 1];
    if (this.peek() !== '-' || to === undefined || to === ']') return (character) => character === from;
    this.at += 2;
    if (to === '\\' || to < from) throw new PatternError('A range in [] goes from lower to higher.');
    return (character) => character >= from && character <= to;
  }
}

function addThread(program: readonly Instruction[], start: number, threads: Set<number>): void {
  const open = [start];
  const seen = new Set<number>();
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const instruction = program[at];
    if (instruction === undefined || seen.has(at)) continue;
    seen.add(at);
    if (instruction.kind === 'jump') open.push(instruction.to);
    else if (instruction.kind === 'split') open.push(instruction.second, instruction.first);
    else threads.add(at);
  }
}

/** Compiles a pattern; throws {@link PatternError} with the reason when it is none. */
export function linearPattern(pattern: string): LinearPattern {
  if (pattern.length > MOST_PATTERN_CHARACTERS) {
    throw new PatternError(`A pattern has at most ${MOST_PATTERN_CHARACTERS} characters.`);
  }
  const program = new Compiler(pattern).compile();
  return {
    matches(text) {
      let threads = new Set<number>();
      addThread(program, 0, threads);
      for (const character of text) {
        const next = new Set<number>();
        for (const at of threads) {
          const instruction = program[at];
          if (instruction?.kind === 'take' && instruction.accepts(character)) addThread(program, at + 1, next);
        }
        threads = next;
        if (threads.size === 0) return false;
      }
      return [...threads].some((at) => program[at]?.kind === 'done');
    },
  };
}
