import { scalarText, sourceReader } from '../effects/canonical-arguments';
import { memberEntries } from '../json';
import { statusMember } from './result-shape';
import type { ResultText } from './result-text';

/** Something that a call started and that goes on by itself: a job, a sub-agent, a monitor, a shell. */
export interface RunningHandle {
  /** Member or word that names it (`job_id`, `agent`). */
  readonly name: string;
  /** Its id, as the result writes it. */
  readonly id: string;
  readonly evidence: string;
}

const RUNNING_STATUS = /^(?:pending|queued|running|in[_ -]?progress|processing|started|scheduled|submitted|working)$/iu;

const HANDLE_NAME =
  /^(?:job|task|run|ticket|process|agent|sub_?agent|helper|session|operation|execution|workflow|monitor|watcher|shell|bash|build|export|import|deployment|batch|thread|background_?task)(?:_?id)?$|^(?:pid|handle)$/iu;

const KIND = '(?:job|task|run|process|agent|sub-?agent|helper|session|workflow|monitor|shell|build|bash)';
const ID = '([A-Za-z0-9][\\w:.-]{0,63})';
const IN_BACKGROUND =
  /\b(?:running|started|launched|executing|continues?|continuing|moved)\b[^\n]{0,80}\b(?:in (?:the )?background|asynchronously)\b/iu;
const ID_AFTER_NAME = new RegExp(`\\b(${KIND}(?:[ _]id)?|id|pid)\\b\\s?[:=#]?\\s{0,2}["'\`]?${ID}`, 'giu');
const NAMED_RUNNING = new RegExp(
  `\\b(${KIND})(?: id)?[ :#]{1,2}${ID}\\s(?:is |are |was |still ){0,2}(?:running|queued|pending|started)\\b`,
  'iu',
);

/** A running notice stands at the start of a result; further down it is a page that talks about jobs. */
const HEAD_CHARS = 600;

/** The handle of what a result says is still running; undefined when it names none. */
export function findRunningHandle(result: ResultText): RunningHandle | undefined {
  return handleInJson(result) ?? handleInText(result.text.slice(0, HEAD_CHARS));
}

function handleInJson(result: ResultText): RunningHandle | undefined {
  const status = statusMember(result);
  if (status === undefined || !RUNNING_STATUS.test(status)) return undefined;
  const json = result.json();
  const read = sourceReader(json, result.text);
  for (const { key, value } of memberEntries(json)) {
    const id = HANDLE_NAME.test(key) ? scalarText(value, read) : undefined;
    if (id !== undefined && id !== '' && !/\s/u.test(id) && value.kind !== 'boolean')
      return { name: key, id, evidence: `the result says ${status}, ${key} ${id}` };
  }
  return undefined;
}

function handleInText(head: string): RunningHandle | undefined {
  if (/^\s*[[{]/u.test(head)) return undefined;
  const named = NAMED_RUNNING.exec(head);
  if (named !== null && /\d/u.test(named[2] ?? ''))
    return { name: named[1] ?? 'id', id: named[2] ?? '', evidence: `the result says "${named[0]}"` };
  const phrase = IN_BACKGROUND.exec(head)?.[0];
  if (phrase === undefined) return undefined;
  for (const [, name = 'id', id = ''] of head.matchAll(ID_AFTER_NAME)) {
    const trimmed = id.replace(/[.:]+$/u, '');
    if (/\d/u.test(trimmed)) return { name, id: trimmed, evidence: `the result says "${phrase}", ${name} ${trimmed}` };
  }
  return undefined;
}

const FINISHED =
  /\b(?:completed?|finished|succeeded|success|done|exited|exit code|failed|stopped|killed|cancell?ed|terminated)\b/iu;

/** True for texts that may end anything at all; the others need not be searched for every handle. */
export function speaksOfAnEnd(text: string): boolean {
  return FINISHED.test(text);
}

/** True when a later text says that the handle's work has ended. */
export function saysFinished(id: string, later: string): boolean {
  return later.includes(id) && FINISHED.test(wordsAround(id, later));
}

/** What a text says near a handle. */
export function wordsAround(id: string, text: string): string {
  const at = text.indexOf(id);
  return at < 0 ? '' : text.slice(Math.max(0, at - 300), at + 300);
}

const ENDED_BADLY =
  /\b(?:failed|failure|error|stopped|killed|cancell?ed|terminated|aborted|crashed|exit(?:ed)?(?: with)?(?: code| status)?[:= "]+-?[1-9]\d*)\b/iu;

/** True when the words of an end say that the work was not done. */
export function saysItFailed(words: string): boolean {
  return ENDED_BADLY.test(words);
}
