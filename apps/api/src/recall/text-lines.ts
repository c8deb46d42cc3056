/** Lines of a text with their ends; CR, LF and CR LF each end a line. The texts together are the text. */
export function linesOf(text: string): readonly string[] {
  return text.match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/gu) ?? [];
}

/** A line without its end. */
export function withoutLineEnd(line: string): string {
  return line.replace(/(?:\r\n|\r|\n)$/u, '');
}
