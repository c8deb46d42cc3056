/** Longer names are no names that a person chose. */
const MAX_NAME_CHARS = 200;
const PLAIN_NAME = /^[\x20-\x7e]+$/u;

/** A tool's name in words. */
export interface NameWords {
  /** Lower-case words of the last part of the name, which says what the tool does. */
  readonly words: readonly string[];
  /** Words of the parts in front of it (server, service). */
  readonly spaces: readonly string[];
}

/**
 * The words of a name: `mcp__github__get_issue`, `orders.list`, `getOrCreate`, `API-get-user`. Undefined for names that
 * cannot be told apart by eye: letters from outside ASCII look like others.
 */
export function nameWords(name: string): NameWords | undefined {
  if (name.length > MAX_NAME_CHARS || !PLAIN_NAME.test(name)) return undefined;
  const parts = name.split(/__+|[./:]+/u).filter((part) => /[A-Za-z]/u.test(part));
  const last = parts.pop();
  if (last === undefined) return undefined;
  return { words: wordsOf(last), spaces: parts.flatMap(wordsOf) };
}

/** Lower-case words of an identifier of any spelling; digits are left out. */
export function wordsOf(identifier: string): readonly string[] {
  return identifier
    .replaceAll(/([a-z\d])([A-Z])/gu, '$1 $2')
    .replaceAll(/([A-Z]+)([A-Z][a-z])/gu, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/u)
    .filter((word) => word !== '');
}
