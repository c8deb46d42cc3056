import { member, memberEntries, stringValue, type JsonNode } from '../json';
import type { ResultText } from './result-text';

/**
 * What the beginning of a result says about the call itself, whatever the tool is. Only the head is read and the
 * harness's own phrases are looked for at its start, so that a page that quotes one does not pass for it.
 */
const HEAD_CHARS = 600;
/** A lost answer says so in its first words; further down the words belong to what was asked. */
const FIRST_WORDS_CHARS = 200;

const DECLINED =
  /^(?:<[\w-]+>\s*)?(?:error:\s*)?(?:the )?user (?:(?:has )?(?:declined|rejected|denied|refused|cancelled|canceled)\b|(?:doesn't|does not|didn't|did not) want to (?:proceed|take this action))|^(?:<[\w-]+>\s*)?(?:tool (?:call|use|execution) )?(?:was )?(?:declined|rejected|denied) by (?:the )?user\b/iu;

const NEVER_RAN =
  /^(?:<tool_use_error>|input ?validation ?error\b|(?:error:\s*)?(?:unknown tool\b|no such tool\b|tool ['"`]?[\w.:/-]{1,100}['"`]? (?:not found|does not exist|is not available)|(?:error:\s*)?invalid (?:arguments|parameters|input|tool call|json)(?: for| to|:| in)|permission to use [\w.-]{1,100} (?:has been |was )?denied)|mcp error -3260[0-2]\b)/iu;

const INTERRUPTED =
  /^(?:<[\w-]+>\s*)?(?:error:\s*)?\[?(?:request|tool run|tool call|tool use|tool execution|command|operation|execution) (?:was )?(?:interrupted|aborted|cancelled|canceled)\b|^\[No result of this call is in the (?:window|transcript)\b/iu;

const TIMED_OUT =
  /\b(?:timed? ?out|timeout|etimedout|econnreset|econnaborted|connection (?:reset|closed|lost|aborted)|socket hang up|no response|gateway time-?out|bad gateway|deadline exceeded)\b/iu;

const ERROR_WORDS =
  /^(?:<[\w-]+>\s*)?\[?(?:\w{0,40}(?:error|exception)\b\s?(?:[:([\]-]|\d|$)|err!|fatal\b|failed(?::| to\b| with\b| because\b)|failure:|traceback \(most recent|command failed|permission denied|timeout\b|timed out)/iu;

/** An error in capitals needs no colon; in lower case it could begin a sentence about errors. */
const ERROR_CAPITALS = /^\[?(?:ERROR|FATAL|FAILED|FAILURE)\b/u;

const AWAITING =
  /^(?:awaiting|waiting for|needs|requires|pending) (?:user |human )?(?:approval|confirmation|review)\b/iu;

const AWAITING_STATUS =
  /^(?:awaiting|pending|needs|requires|waiting_for)_?(?:user_|human_)?(?:approval|confirmation)$|^approval_(?:required|pending)$/iu;

const FAILED_STATUS = /^(?:error|failed|failure|rejected)$/iu;

/** True when the harness says that a person declined the call; it never ran. */
export function saysDeclined(result: ResultText): boolean {
  return DECLINED.test(head(result));
}

/** True when the harness says that the call never reached the tool: unknown tool, invalid arguments, no permission. */
export function saysNeverRan(result: ResultText): boolean {
  return NEVER_RAN.test(head(result));
}

/** True when somebody stopped the call: what it had done by then is not known. */
export function saysInterrupted(result: ResultText): boolean {
  return INTERRUPTED.test(head(result));
}

/** True when the answer got lost on its way: the call may have been applied. */
export function saysTimedOut(result: ResultText): boolean {
  return saysError(result) && TIMED_OUT.test(head(result).slice(0, FIRST_WORDS_CHARS));
}

/** True when the call waits for a person. */
export function saysAwaitingApproval(result: ResultText): boolean {
  return AWAITING.test(head(result)) || AWAITING_STATUS.test(statusMember(result) ?? '');
}

/** True when the result has a clear shape of an error: the provider's flag, an error's first word, an error member. */
export function saysError(result: ResultText): boolean {
  if (result.isError === true) return true;
  if (ERROR_WORDS.test(head(result)) || ERROR_CAPITALS.test(head(result))) return true;
  const json = outcomeJson(result);
  if (json?.kind !== 'object') return false;
  if (FAILED_STATUS.test(statusMember(result) ?? '')) return true;
  return memberEntries(json).some(({ key, value }) => {
    if (/^(?:ok|success|succeeded)$/u.test(key)) return value.kind === 'boolean' && !value.value;
    if (/^(?:isError|is_error)$/u.test(key)) return value.kind === 'boolean' && value.value;
    if (!/^(?:error|errors|exception)$/iu.test(key)) return false;
    if (value.kind === 'array') return value.items.length > 0;
    return value.kind === 'object' || (value.kind === 'string' && value.value !== '');
  });
}

/** The word of a top-level `status` or `state` member. */
export function statusMember(result: ResultText): string | undefined {
  const json = outcomeJson(result);
  return stringValue(member(json, 'status')) ?? stringValue(member(json, 'state'));
}

/** Most results are data: only those that carry an outcome's member at all are worth parsing for one. */
const OUTCOME_MEMBER = /"(?:errors?|exception|ok|success|succeeded|isError|is_error|status|state)"\s{0,4}:/iu;

function outcomeJson(result: ResultText): JsonNode | undefined {
  return OUTCOME_MEMBER.test(result.text) ? result.json() : undefined;
}

function head(result: ResultText): string {
  return result.text.slice(0, HEAD_CHARS).trimStart();
}
