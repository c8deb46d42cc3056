import { member, stringValue, type JsonNode } from '../json';

/** `git add` and `cd` before it are safe to repeat; anything after it on the line could have run. */
const ATOMIC_LINE =
  /^\s*(?:cd [^\s&|;]{1,300} && )?(?:git add [^&|;\n]{1,300} && )?git (?:commit|push)\b(?![\s\S]*(?:&&|\|\||[;|])\s*\S)/u;

/**
 * True for a command line whose failure leaves nothing applied: a commit that a hook turned away was not made, a push
 * that was rejected moved nothing. Says nothing about an interrupted one.
 */
export function failsWhole(args: JsonNode | undefined): boolean {
  const line = stringValue(member(args, 'command')) ?? stringValue(member(args, 'cmd'));
  return line !== undefined && line.length <= 20_000 && ATOMIC_LINE.test(line);
}
