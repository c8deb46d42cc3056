import type { ToolContract } from '../classify/tool-contract';
import { oneLine } from '../render/marks';
import { memberEntries, type JsonMember } from '../json';
import { selectJsonPath } from '../json-path';
import { scalarText, sourceReader } from './canonical-arguments';
import type { CallArguments } from './idempotency-key';
import { isSecretName } from '../secrets/secret-names';

/** Target of a call that has no argument to name it. */
export const NO_TARGET = '-';
/** A target is one glance on a ledger line. */
const MAX_TARGET_CHARS = 200;
/** Longer scalars, or those of more words, are content (a message, a thought), not names. */
const MAX_NAME_CHARS = 80;
const MAX_NAME_WORDS = 8;

/** Argument names that say what a call acts on, strongest first. */
const TARGET_NAMES: readonly RegExp[] = [
  /^(?:to|recipients?|target|destination|channel|board|room|chat|mailbox|queue|topic|bucket)$/iu,
  /^(?:url|uri|href|endpoint)$/iu,
  /^(?:id|uuid|key|sku)$|(?:_id|Id|ID|_key|_number)$/u,
  /^(?:file_?path|path|file|file_?name|notebook_?path|directory|dir|folder)$/iu,
  /^(?:command|cmd|script|code|sql|query)$/iu,
  /^(?:name|title|repo|repository|branch|table|user|email|phone|account|resource|subject)$|(?:_name|Name)$/iu,
];

/**
 * What a call acts on, in one line: the values at the contract's `target` paths, else the argument whose name says so
 * (recipient, URL, id, path, command line, name), else the first short scalar, else `-`.
 *
 * Only the first line of a value counts; what is cut ends with `…`. Secret arguments are never a target.
 */
export function describeTarget(contract: ToolContract | undefined, call: CallArguments): string {
  return declaredTarget(contract, call) ?? namedTarget(contract, call) ?? NO_TARGET;
}

function declaredTarget(contract: ToolContract | undefined, call: CallArguments): string | undefined {
  const { args, argumentsText } = call;
  if (args === undefined) return undefined;
  const read = sourceReader(args, argumentsText);
  const values = (contract?.target ?? [])
    .flatMap((path) => selectJsonPath(args, path))
    .map((node) => scalarText(node, read) ?? read(node));
  return values.length === 0 ? undefined : firstLine(values.join(' '));
}

/** Arguments that are one value, in order; secret ones are left out. */
function scalarArguments(contract: ToolContract | undefined, call: CallArguments): readonly NamedScalar[] {
  const { args, argumentsText } = call;
  const read = sourceReader(args, argumentsText);
  const secret = new Set(
    args === undefined ? [] : (contract?.secret ?? []).flatMap((path) => selectJsonPath(args, path)),
  );
  return memberEntries(args).flatMap(({ key, value }: JsonMember) => {
    const text = scalarText(value, read)?.trim();
    if (text === undefined || text === '' || secret.has(value) || isSecretName(key)) return [];
    return [{ key, text, isString: value.kind === 'string' }];
  });
}

interface NamedScalar {
  readonly key: string;
  readonly text: string;
  readonly isString: boolean;
}

/** Longer values are content, not what a call is about. */
const SHORT_ARGUMENT_CHARS = 60;

/**
 * A call's target and its other short arguments, in one line: what tells it from the next call of the same tool. A bare
 * number says nothing, so it comes with its name.
 */
export function describeArguments(contract: ToolContract | undefined, call: CallArguments): string {
  const target = describeTarget(contract, call);
  const others = scalarArguments(contract, call)
    .filter(({ text }) => text.length <= SHORT_ARGUMENT_CHARS && !text.includes('\n') && !target.includes(text))
    .map(({ key, text, isString }) => (isString ? text : `${key}=${text}`));
  const isExec = contract?.effect === 'exec';
  return oneLine([target, ...(isExec ? [] : others)].filter((text) => text !== NO_TARGET).join(' '), MAX_TARGET_CHARS);
}

function namedTarget(contract: ToolContract | undefined, call: CallArguments): string | undefined {
  const candidates = scalarArguments(contract, call);
  for (const names of TARGET_NAMES) {
    const found = candidates.find(({ key }) => names.test(key));
    if (found !== undefined) return firstLine(found.text);
  }
  return candidates.find(({ text }) => isNameLike(text))?.text;
}

function isNameLike(text: string): boolean {
  return text.length <= MAX_NAME_CHARS && !text.includes('\n') && text.split(/\s+/u).length <= MAX_NAME_WORDS;
}

/** The first line, cut at a blank when it is long; more lines are hinted at. */
function firstLine(text: string): string | undefined {
  const trimmed = text.trim();
  const line = /^[^\r\n]*/u.exec(trimmed)?.[0].trimEnd() ?? '';
  if (line === '') return undefined;
  const short = oneLine(line, MAX_TARGET_CHARS);
  return line.length === trimmed.length || short.endsWith('…') ? short : `${short} …`;
}
