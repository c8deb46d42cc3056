import { isIntended, type Clause } from './clauses';
import type { DriftSource } from './drift-finding';
import { changedEffect } from './effect-findings';
import type { EffectGroup } from './effect-group';
import { nameIn, wordsIn } from './effect-telling';
import type { StateFinding } from './state-finding';
import { stemOf } from './stems';

const MADE =
  /^(?:creat|book|reserv|order|plac|schedul|send|post|add|open|submit|mak|regist|publish|enabl|activ|start)/i;
const UNMADE =
  /\b(?:was|were|been|is|are|got|had)(?: \w+){0,2} (cancell?ed|withdrawn|revoked|deleted|removed|voided|rolled back|reverted|undone|discarded|disabled|retracted)\b/i;
const PRELIMINARY = /^(?:schedul|queu|propos|draft|request|submit|plan|invit|offer|enqueu)/i;
const CONCLUDED =
  /\b(?:already (?:finished|complete[d]?|done|installed|applied|live)|(?:was|were|been|is|are) (?:accepted|installed|delivered|signed|executed|paid out|approved))\b/i;

/** A made thing told as taken back, or a prepared one told as concluded, where no source says so. */
export function turnedBack(
  group: EffectGroup,
  clauses: readonly Clause[],
  sources: readonly DriftSource[],
): StateFinding | undefined {
  const own = [...group.words.own];
  const isMade = own.some((stem) => MADE.test(stem));
  const isPreliminary = own.some((stem) => PRELIMINARY.test(stem));
  for (const clause of clauses) {
    const found = (isMade ? UNMADE.exec(clause.text) : null) ?? (isPreliminary ? CONCLUDED.exec(clause.text) : null);
    if (found === null || isIntended(clause.text.slice(0, found.index))) continue;
    const isAbout =
      nameIn(clause.text, group) !== undefined ||
      wordsIn(clause.text).some(({ word }) => group.words.nouns.has(stemOf(word)));
    const said = stemOf(/(\p{L}+)$/u.exec(found[0].replace(/ back$/, ''))?.[1] ?? '');
    if (!isAbout || sources.some(({ text }) => text.toLowerCase().includes(said))) continue;
    const start = clause.start + found.index;
    return changedEffect(group, start, start + found[0].length, 'told otherwise than it is');
  }
  return undefined;
}
