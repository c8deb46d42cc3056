import {
  DEFAULT_READ_LIMITS,
  FORMAT_NAMES,
  formatOf,
  type FormatName,
  TRANSCRIPT_KINDS,
  readTranscript,
  type Transcript,
} from '@holdfast/core';
import { CliError } from '../cli-error';
import { readTextFile } from './text-file';

const HINTS = [...FORMAT_NAMES, ...TRANSCRIPT_KINDS] as const;
type Hint = (typeof HINTS)[number];

function isHint(word: string): word is Hint {
  return (HINTS as readonly string[]).includes(word);
}

/**
 * Reads a transcript or a window from a file. `format` is a window format or a kind of transcript; without it the text
 * tells. Throws CliError with path and reason.
 */
export function loadTranscript(path: string, format?: string): Transcript {
  if (format !== undefined && !isHint(format)) {
    throw new CliError(`Unknown format "${format}". Use one of: ${HINTS.join(', ')}.`, 2);
  }
  const answer = readTranscript(readTextFile(path), format);
  if (answer.kind === 'transcript') return answer.transcript;
  throw new CliError(
    `Cannot read ${path} as a transcript: ${answer.reason}. ` +
      `Known are transcripts (${TRANSCRIPT_KINDS.join(', ')}) and lists of messages or request bodies ` +
      `(${FORMAT_NAMES.join(', ')}); --format names one.`,
  );
}

/** Names of the tools that a window calls, in order of first use. */
export function toolsOf(format: FormatName, source: string): readonly string[] {
  const answer = formatOf(format).read(source, DEFAULT_READ_LIMITS);
  if (answer.kind !== 'window') return [];
  return [...new Set(answer.window.parts.flatMap((part) => (part.call === undefined ? [] : [part.call.tool])))];
}
