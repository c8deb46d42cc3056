/** Colours, cursor moves, titles and character sets of a terminal: CSI, OSC and two- or three-character escapes. */
const TERMINAL_CODE =
  /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[()*+][0-9A-Za-z]|[=>78@-Z\\^_])|\u009b[0-?]*[ -/]*[@-~]/g;

/** A text without terminal codes; everything that a reader sees stays as it is. */
export function stripTerminalCodes(text: string): string {
  return text.includes('\u001b') || text.includes('\u009b') ? text.replace(TERMINAL_CODE, '') : text;
}
