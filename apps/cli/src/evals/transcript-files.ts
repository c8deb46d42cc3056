import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { readTranscript, type Transcript } from '@holdfast/core';
import { CliError } from '../cli-error';
import { readTextFile } from '../inputs/text-file';

/** A file that is a transcript, by its path below the folder. */
export interface TranscriptFile {
  readonly name: string;
  readonly transcript: Transcript;
}

const EXTENSIONS = ['.json', '.jsonl', '.traj'];
/** Folders and files of a corpus that are no transcripts. */
const NO_TRANSCRIPTS = /^(?:tools|golden|LICENSES)(?:\/|$)|^late_refs\./u;

/** The transcripts of a folder, in order of their names; files that no reader knows are left out. */
export function loadTranscriptFiles(folder: string, only: string | undefined): readonly TranscriptFile[] {
  return transcriptPaths(folder, only).flatMap(({ path, name }) => {
    const answer = readTranscript(readTextFile(path));
    return answer.kind === 'transcript' ? [{ name, transcript: answer.transcript }] : [];
  });
}

/** Files of a folder that may be transcripts, in order of their names below it. */
export function transcriptPaths(
  folder: string,
  only: string | undefined,
): readonly { readonly path: string; readonly name: string }[] {
  if (!existsSync(folder) || !statSync(folder).isDirectory()) throw new CliError(`${folder} is no folder.`);
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && EXTENSIONS.some((extension) => entry.name.endsWith(extension)))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path, name: relative(folder, path) }))
    .filter(({ name }) => !NO_TRANSCRIPTS.test(name) && (only === undefined || name.includes(only)))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}
