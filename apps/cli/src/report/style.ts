/** Marks words for a terminal, or leaves them alone. */
export interface Style {
  bold(text: string): string;
  dim(text: string): string;
  good(text: string): string;
  warn(text: string): string;
  bad(text: string): string;
}

const plain = (text: string): string => text;
const code =
  (open: number, close: number) =>
  (text: string): string =>
    `\u001b[${open}m${text}\u001b[${close}m`;

const PLAIN: Style = { bold: plain, dim: plain, good: plain, warn: plain, bad: plain };
const COLOURED: Style = {
  bold: code(1, 22),
  dim: code(2, 22),
  good: code(32, 39),
  warn: code(33, 39),
  bad: code(31, 39),
};

/** Colours on a terminal, unless NO_COLOR is set (https://no-color.org). */
export function styleFor(
  stream: { readonly isTTY?: boolean },
  environment: Readonly<Record<string, string | undefined>>,
): Style {
  const isOff = (environment['NO_COLOR'] ?? '') !== '' || environment['TERM'] === 'dumb';
  return stream.isTTY === true && !isOff ? COLOURED : PLAIN;
}
