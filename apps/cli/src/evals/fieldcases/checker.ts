import type { PlayedCase } from './play-case';

/** Checks one field of `expect`: what is wrong, in words; undefined when it holds. */
export type Checker = (played: PlayedCase, expected: unknown) => Promise<string | undefined> | string | undefined;

/** Checkers by the name of the field. */
export type Checkers = Readonly<Record<string, Checker>>;

/** For fields that hold of the window that was given, if one was given. */
export function ofOutput(
  check: (output: string, played: PlayedCase, expected: unknown) => Promise<string | undefined> | string | undefined,
): Checker {
  return (played, expected) => (played.output === undefined ? undefined : check(played.output, played, expected));
}

export function quoted(values: readonly string[]): string {
  return values.map((value) => JSON.stringify(value)).join(', ');
}
