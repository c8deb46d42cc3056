import { isIntended, type Clause } from './clauses';
import type { DriftSource } from './drift-finding';
import { changedEffect } from './effect-findings';
import type { EffectGroup } from './effect-group';
import type { StateFinding } from './state-finding';

const ANY_FAILURE =
  /\b(?:fail\w*|error\w*|reject\w*|refus\w*|declin\w*|denied|abort\w*|crash\w*|exception|traceback|timed out|timeout|fatal|invalid|not found|unable|cannot|conflict\w*|panic)\b|exit(?:ed)?(?: with)?(?: code| status)? [1-9]/i;

/** Whether any source speaks of a failure. */
export function hasFailure(sources: readonly DriftSource[]): boolean {
  return sources.some(({ text }) => ANY_FAILURE.test(text));
}

const RAN =
  /\b(?:ran|runs|executed|executes|print(?:s|ed)|return(?:s|ed)|show(?:s|ed)|came back|output|gave|gives|produced|listed|added|created|wrote|rewrote|used)\b/i;
const NOT_RUN =
  /\b(?:(?:not|never|n't)(?: \w+){0,2} (?:run|executed|tested|started|called|tried)|(?:still|yet) (?:has |have )?to (?:be )?(?:run|executed|tested|started))\b/i;

const CRASHED = /\b(?:crash(?:es|ed)|fail(?:s|ed)|abort(?:s|ed)|timed out|died|was killed|gave an error)\b/i;

/** A command that ran, told as not run at all, or as failed where no source knows of a failure. */
export function driftOfRun(
  group: EffectGroup,
  clauses: readonly Clause[],
  sources: readonly DriftSource[],
): readonly StateFinding[] {
  const failed = clauses.find(({ text }) => CRASHED.test(text));
  if (failed !== undefined && !hasFailure(sources)) {
    return [changedEffect(group, failed.start, failed.end, 'told as failed, but it is done')];
  }
  if (
    clauses.some(
      ({ text }) => RAN.test(text) && !NOT_RUN.test(text) && !isIntended(text.slice(0, RAN.exec(text)?.index)),
    )
  ) {
    const told = clauses.find(
      ({ text }) => NOT_RUN.test(text) && /^[\s*-]*(?:it|this|the (?:script|file|command|code|program))\b/i.test(text),
    );
    return told === undefined ? [] : [changedEffect(group, told.start, told.end, 'told as not run, but it is done')];
  }
  const open = clauses.find(({ text }) => NOT_RUN.test(text));
  return open === undefined ? [] : [changedEffect(group, open.start, open.end, 'told as not run, but it is done')];
}
