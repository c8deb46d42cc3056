/** Fewer lines than this are a person's example, not a paste. */
const MIN_PASTE_LINES = 15;
/** Share of lines that must look like a machine's; measured on the coding transcripts, where people paste CI logs. */
const MIN_MACHINE_SHARE = 0.8;
/** Lines looked at: a paste of megabytes shows what it is long before. */
const MAX_LINES = 400;

const MACHINE_LINE =
  /^\s*(?:\d{4}-\d\d-\d\d[T ]|\d\d:\d\d:\d\d|\[[^\]\n]{1,40}\]|(?:TRACE|DEBUG|INFO|WARN(?:ING)?|ERROR|FATAL)\b|at \S+ ?\(|at \S+:\d+|File "[^"]+", line \d+|npm (?:ERR!|error|warn)|\$ |> |\+\+\+ |--- |@@ |[+-]\s|diff --git|[│┃╭╰─━═|]|[{}\])]|"[\w-]+":|<\/?[a-z][\w-]*)|[;{}]\s*$|^[^\s,|]+(?:[,|\t][^\s,|]*){2,}$|^\S*[\w.-]+\.\w{1,5}:\d+(?::\d+)?\b/u;

/** Five words in a row of a person's sentence. */
const PROSE = /^\s*(?:[A-Za-z\u00C0-\uFFFF'’]+[,;:]?\s+){4,}[A-Za-z\u00C0-\uFFFF'’]+[.?!]?/u;

/**
 * What makes a whole text a paste of a machine's output, in words; undefined when it holds a sentence, or in doubt.
 */
export function findPastedOutput(text: string): string | undefined {
  const lines = text.split('\n', MAX_LINES).filter((line) => line.trim() !== '');
  if (lines.length < MIN_PASTE_LINES) return undefined;
  const machine = lines.filter((line) => MACHINE_LINE.test(line.slice(0, 500)));
  const prose = lines.some((line) => !MACHINE_LINE.test(line.slice(0, 500)) && PROSE.test(line.slice(0, 500)));
  if (prose || machine.length / lines.length < MIN_MACHINE_SHARE) return undefined;
  return `${String(machine.length)} of ${String(lines.length)} lines look like a machine's output and none is a sentence`;
}
