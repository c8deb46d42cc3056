import { operandsOf } from './option-rules';
import type { ShellWord } from './shell-word';

const SED_OPTIONS = { flags: 'nErsuz', long: ['--quiet', '--silent', '--regexp-extended', '--posix', '--debug'] };

/** True for a sed that prints: its script is literal and has no command that writes, reads or runs anything. */
export function sedReads(words: readonly ShellWord[]): boolean {
  const scripts: ShellWord[] = [];
  const others: ShellWord[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    if (word === undefined) return false;
    if (word.expansion === 'no' && (word.text === '-e' || word.text === '-ne' || word.text === '-Ee')) {
      const script = words[(at += 1)];
      if (script === undefined) return false;
      scripts.push(script);
    } else others.push(word);
  }
  const operands = operandsOf(others, SED_OPTIONS);
  if (operands === undefined) return false;
  if (scripts.length === 0) scripts.push(...operands.slice(0, 1));
  return scripts.length > 0 && scripts.every(({ text, expansion }) => expansion === 'no' && isPrintingSed(text));
}

const SED_ADDRESS = String.raw`(?:\d+(?:~\d+)?|\$|\/(?:[^/\\\n]|\\[^\n])*\/I?)`;
const SED_PLACE = `(?:${SED_ADDRESS}(?:\\s{0,4},\\s{0,4}(?:${SED_ADDRESS}|[+~]\\d+))?)?\\s{0,4}!?\\s{0,4}`;
const SED_STEP = new RegExp(`[\\s;{}]*${SED_PLACE}(?:([pPdDnNgGhHxl=qQ])(?:\\s?\\d{1,5})?|s([/|#,:@%!])|$)`, 'uy');

function isPrintingSed(script: string): boolean {
  let at = 0;
  while (at < script.length) {
    SED_STEP.lastIndex = at;
    const step = SED_STEP.exec(script);
    // An open bracket may take the delimiter in: where an expression ends is not certain then.
    if (step === null || hasOpenBracket(step[0]) || SED_STEP.lastIndex === at) return false;
    at = SED_STEP.lastIndex;
    if (step[2] !== undefined) {
      const end = substitutionEnd(script, at, step[2]);
      if (end === undefined) return false;
      at = end;
    }
    if (at < script.length && !/^\s*(?:[;}\n]|$)/u.test(script.slice(at, at + 200))) return false;
  }
  return true;
}

/** Where `s/a/b/flags` ends, seen from behind its first delimiter; undefined for one with flags that write or run. */
function substitutionEnd(script: string, start: number, delimiter: string): number | undefined {
  let at = start;
  for (let parts = 0; parts < 2; parts += 1) {
    const from = at;
    while (at < script.length && script[at] !== delimiter) {
      if (script[at] === '\n') return undefined;
      at += script[at] === '\\' ? 2 : 1;
    }
    if (at >= script.length || hasOpenBracket(script.slice(from, at))) return undefined;
    at += 1;
  }
  const flags = /[gpIi0-9]*/uy;
  flags.lastIndex = at;
  flags.exec(script);
  return flags.lastIndex;
}

function hasOpenBracket(text: string): boolean {
  return (text.match(/\[/gu) ?? []).length > (text.match(/\]/gu) ?? []).length;
}

const AWK_OPTIONS = { valued: 'Fv' };

/** True for an awk that prints: its program is literal, and has no word or sign by which one writes or runs. */
export function awkReads(words: readonly ShellWord[]): boolean {
  const [program] = operandsOf(words, AWK_OPTIONS) ?? [];
  if (program === undefined || program.expansion !== 'no') return false;
  // A pipe may run something, and what is behind `>` may be a file; comparisons and `or` are spelt otherwise.
  const text = program.text.replaceAll('||', ' ').replaceAll(/(?<![>])>=(?!=)/gu, ' ');
  return !/[>|@]|\bsystem\b|\bgetline\b|\bclose\b|\bfflush\b/u.test(text);
}
