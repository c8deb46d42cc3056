import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { CliError } from '../../cli-error';
import { readJsonFile } from '../../inputs/text-file';
import { isObject, listOf, numberOf, objectOf, textOf } from '../json-values';

/** A value that a tool call needs and that stood, verbatim, in an earlier message. */
interface Reference {
  readonly valueIndex: number;
  readonly value: string;
  /** `id`, `number`, `path`, `word` ... */
  readonly valueClass: string;
  /** Message of the call, counted from 0. */
  readonly message: number;
  /** Message that first holds it, outside the system prompt. */
  readonly first: number;
  readonly firstRole: string;
  readonly tool: string;
  readonly argument: string;
  /** A small integer that matches by chance. */
  readonly weak: boolean;
}

/** Late references of one transcript. */
export interface ReferencedTranscript {
  /** `format/file`, below the corpus. */
  readonly name: string;
  readonly format: string;
  readonly messages: number;
  readonly references: readonly Reference[];
  /** By value index: messages that hold the value, and who speaks in each (`u`, `a`, `t`, `o`). */
  readonly occurrences: readonly { readonly messages: readonly number[]; readonly by: string }[];
}

export type NeededValue = Pick<Reference, 'value' | 'valueClass' | 'first' | 'firstRole' | 'tool' | 'argument'>;

const FILE_NAME = /^late_refs\..+\.json$/u;
const CRITICAL_CLASSES: ReadonlySet<string> = new Set(['url', 'email', 'path', 'file', 'date', 'id', 'number']);

/** Late references of every transcript of a corpus. Throws CliError when the folder has none. */
export function loadReferences(corpus: string): readonly ReferencedTranscript[] {
  if (!existsSync(corpus) || !statSync(corpus).isDirectory()) throw new CliError(`${corpus} is no folder.`);
  const files = readdirSync(corpus).filter((name) => FILE_NAME.test(name));
  if (files.length === 0) throw new CliError(`${corpus} holds no late_refs.*.json: see docs/EVALUATIONS.md.`);
  return files.flatMap((file) =>
    Object.entries(objectOf(objectOf(readJsonFile(join(corpus, file)))['transcripts'])).flatMap(([name, value]) =>
      isObject(value) ? [transcriptOf(name, value)] : [],
    ),
  );
}

function transcriptOf(name: string, value: Readonly<Record<string, unknown>>): ReferencedTranscript {
  return {
    name,
    format: textOf(value['format']) ?? '',
    messages: numberOf(value['messages']) ?? 0,
    references: listOf(value['refs']).map(objectOf).map(referenceOf),
    occurrences: listOf(value['values'])
      .map(objectOf)
      .map((item) => ({
        messages: listOf(item['occ']).filter((message) => typeof message === 'number'),
        by: textOf(item['by']) ?? '',
      })),
  };
}

function referenceOf(item: Readonly<Record<string, unknown>>): Reference {
  return {
    valueIndex: numberOf(item['vi']) ?? -1,
    value: textOf(item['value']) ?? '',
    valueClass: textOf(item['class']) ?? '',
    message: numberOf(item['msg']) ?? 0,
    first: numberOf(item['first']) ?? 0,
    firstRole: textOf(item['first_role']) ?? '',
    tool: textOf(item['tool']) ?? '',
    argument: textOf(item['arg']) ?? '',
    weak: item['weak'] === true,
  };
}

/**
 * The distinct critical values that a call at or after message `cut` needs and that only the messages before it hold:
 * the first message from there on that has the value is the model's own.
 */
export function neededAfter(transcript: ReferencedTranscript, cut: number): readonly NeededValue[] {
  const needed = new Map<number, NeededValue>();
  const seen = new Set<number>();
  for (const reference of transcript.references) {
    const { valueIndex, valueClass, message, first, weak } = reference;
    if (message < cut || first >= cut || weak || seen.has(valueIndex)) continue;
    seen.add(valueIndex);
    const where = transcript.occurrences[valueIndex];
    const next = where?.messages.findIndex((at) => at >= cut) ?? -1;
    if (where?.by[next] === 'a' && CRITICAL_CLASSES.has(valueClass)) needed.set(valueIndex, reference);
  }
  return [...needed.values()];
}
