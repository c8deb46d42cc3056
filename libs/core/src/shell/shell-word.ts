/**
 * How a word of a command line may turn out when the shell runs it:
 * `no` it stands as written; `one` a quoted value, one word; `glob` names of files; `split` any number of words.
 */
export type Expansion = 'no' | 'one' | 'glob' | 'split';

/** A word with its quotes taken away. */
export interface ShellWord {
  /** Literal text; what is only known to the shell is left out. */
  readonly text: string;
  /** Literal text in front of the first expansion; all of `text` where there is none. */
  readonly prefix: string;
  readonly expansion: Expansion;
  /** No quote or escape in it: it can be a keyword. */
  readonly bare: boolean;
}

/** A name with a value in front of a command, or alone. */
export interface ShellAssignment {
  readonly name: string;
  readonly value: ShellWord;
}

/** One simple command: assignments in front of it, and its words, the name first. */
export interface SimpleCommand {
  readonly assignments: readonly ShellAssignment[];
  readonly words: readonly ShellWord[];
}

/** A word that the shell does not change. */
export function literalWord(text: string): ShellWord {
  return { text, prefix: text, expansion: 'no', bare: false };
}

/** True for a word that is an operand whatever its unknown part is: it begins with known text that begins no option. */
export function isOperand(word: ShellWord): boolean {
  if (word.expansion === 'split') return false;
  return word.expansion === 'no' ? !word.text.startsWith('-') : word.prefix !== '' && !/^[-+]/u.test(word.prefix);
}
