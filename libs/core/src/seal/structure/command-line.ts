import type { FieldKind } from '../critical-field';
import { shapeOfToken } from '../token-shape';
import type { StructuredField } from './structured-field';

/** `$ git push origin main`, with the prompt of a terminal. */
const PROMPT = /^[ \t]{0,8}(?:[\w.-]{1,40}@[\w.-]{1,60}[^$#\n]{0,80})?[$#%>] (?=[A-Za-z./~])/;
const WORD = /(?:[^\s"'`|&;<>()]|\\.)+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[|&;<>]+/g;
const OPTION = /^(--?[A-Za-z][\w-]*)(?:=(.*))?$/;
const LONGEST_COMMAND = 4_000;
/** Operands with one of these are names of something; plain words are subcommands and text. */
const TELLING = /[\d_./:@#=~-]/;

/** Options and operands of a command behind a prompt; an operand is named by the option before it, or by the command. */
export function commandFields(line: string, start: number): readonly StructuredField[] {
  const prompt = line.length > LONGEST_COMMAND ? undefined : PROMPT.exec(line)?.[0];
  if (prompt === undefined) return [];
  const fields: StructuredField[] = [];
  let command = '';
  let option = '';
  const add = (kind: FieldKind, value: string, at: number, name: string): void => {
    fields.push({ kind, start: at, end: at + value.length, name });
  };
  for (const match of line.slice(prompt.length).matchAll(WORD)) {
    const [word] = match;
    const at = start + prompt.length + match.index;
    if (/^[|&;<>]/.test(word)) {
      command = '';
      option = '';
      continue;
    }
    if (command === '' && !/^[A-Z_]+=/.test(word)) {
      command = word;
      continue;
    }
    const [, flag, value] = OPTION.exec(word) ?? [];
    if (flag !== undefined) {
      add('flag', flag, at, command);
      if (value !== undefined && value !== '' && !/["']/.test(value)) {
        add(kindOf(value) ?? 'identifier', value, at + flag.length + 1, flag);
      }
      option = value === undefined ? flag : '';
      continue;
    }
    const quoted = /^["']/.test(word);
    const plain = quoted ? word.slice(1, -1) : word;
    const kind = plain === '' || /\s|\\|[$`*]/.test(plain) ? undefined : operandKind(plain, option);
    if (kind !== undefined) add(kind, plain, at + (quoted ? 1 : 0), option === '' ? command : option);
    option = '';
  }
  return fields;
}

function operandKind(value: string, option: string): FieldKind | undefined {
  if (!/[\p{L}\p{N}]/u.test(value)) return undefined;
  const kind = kindOf(value);
  if (kind !== undefined) return kind;
  return TELLING.test(value) || option !== '' ? 'identifier' : undefined;
}

function kindOf(value: string): FieldKind | undefined {
  const shape = shapeOfToken(value, { isCode: false, isDetached: true });
  return shape === undefined || (shape.length !== undefined && shape.length < value.length) ? undefined : shape.kind;
}
