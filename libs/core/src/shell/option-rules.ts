import { isOperand, type ShellWord } from './shell-word';

/** What a command takes without writing: every option that is not named here refuses the line. */
export interface OptionRules {
  /** One-letter options without a value; they may stand together behind one dash. */
  readonly flags?: string;
  /** One-letter options with a value, in the same word or the next. */
  readonly valued?: string;
  /** Long options, exactly as written; one that takes a value takes it behind `=`. */
  readonly long?: readonly string[];
  /** Words that begin with a dash and are options as a whole (`-name`), with a value in the next word or without. */
  readonly words?: { readonly alone?: readonly string[]; readonly valued?: readonly string[] };
  /** Most operands; more would be written to. */
  readonly operands?: number;
  /** A number as an option: `head -20`. */
  readonly numbers?: boolean;
}

/** The operands of a command line that has no other options than the rules know; undefined otherwise. */
export function operandsOf(words: readonly ShellWord[], rules: OptionRules): readonly ShellWord[] | undefined {
  const operands: ShellWord[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    if (word === undefined) return undefined;
    if (word.text === '-' && word.expansion === 'no') operands.push(word);
    else if (isOperand(word)) {
      // Names of files may be any number.
      if (word.expansion === 'glob' && rules.operands !== undefined) return undefined;
      operands.push(word);
    } else if (word.expansion !== 'no') return undefined;
    else if (word.text === '--') {
      const rest = words.slice(at + 1);
      if (rest.some(({ expansion }) => expansion === 'split')) return undefined;
      operands.push(...rest);
      break;
    } else {
      const taken = takenBy(word.text, words[at + 1], rules);
      if (taken === undefined) return undefined;
      at += taken;
    }
  }
  return rules.operands !== undefined && operands.length > rules.operands ? undefined : operands;
}

/** How many words behind an option are its value; undefined for an option that is not known. */
function takenBy(option: string, next: ShellWord | undefined, rules: OptionRules): 0 | 1 | undefined {
  if (rules.words?.alone?.includes(option) === true) return 0;
  if (rules.words?.valued?.includes(option) === true) return isOneWord(next) ? 1 : undefined;
  if (option.startsWith('--')) return rules.long?.includes(option.replace(/=[\s\S]*$/u, '')) === true ? 0 : undefined;
  if (rules.numbers === true && /^-\d{1,9}$/u.test(option)) return 0;
  for (let at = 1; at < option.length; at += 1) {
    const letter = option[at] ?? '';
    if (rules.flags?.includes(letter) === true) continue;
    if (rules.valued?.includes(letter) !== true) return undefined;
    return at < option.length - 1 ? 0 : isOneWord(next) ? 1 : undefined;
  }
  return option.length > 1 ? 0 : undefined;
}

function isOneWord(word: ShellWord | undefined): boolean {
  return word !== undefined && (word.expansion === 'no' || word.expansion === 'one');
}
