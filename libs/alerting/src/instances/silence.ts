import type { Labels } from './fingerprint';
import { type LabelMatcher, matcherProblem, meetsAll } from './matcher';

const DAY_MS = 86_400_000;
/** Longer silences are forgotten: they need an administrator. */
export const LONGEST_SILENCE_MS = 30 * DAY_MS;
const MOST_MATCHERS = 20;

/** Times in milliseconds. */
export interface Silence {
  readonly matchers: readonly LabelMatcher[];
  readonly startsAt: number;
  readonly endsAt: number;
  readonly comment: string;
  readonly author: string;
}

export interface SilenceProblem {
  readonly path: string;
  readonly message: string;
}

/** What is wrong with a silence that somebody asks for. */
export function silenceProblems(silence: Silence, nowMs: number, isAdministrator: boolean): SilenceProblem[] {
  const { matchers, startsAt, endsAt } = silence;
  const problems: SilenceProblem[] = matchers.slice(0, MOST_MATCHERS).flatMap((matcher, at) => {
    const message = matcherProblem(matcher);
    return message === null ? [] : [{ path: `$.matchers[${at}]`, message }];
  });
  if (matchers.length === 0 || matchers.length > MOST_MATCHERS) {
    problems.push({ path: '$.matchers', message: `must be 1 to ${MOST_MATCHERS} matchers` });
  } else if (problems.length === 0 && meetsAll({}, matchers)) {
    problems.push({ path: '$.matchers', message: 'would silence everything: at least one must ask for a label' });
  }
  if (!(endsAt > startsAt)) problems.push({ path: '$.ends_at', message: 'must be after the start' });
  else if (endsAt <= nowMs) problems.push({ path: '$.ends_at', message: 'must not be over' });
  else if (!isAdministrator && endsAt - Math.max(startsAt, nowMs) > LONGEST_SILENCE_MS) {
    problems.push({ path: '$.ends_at', message: 'must be within 30 days; an administrator may ask for longer' });
  }
  if (silence.comment.trim() === '') problems.push({ path: '$.comment', message: 'is required' });
  if (silence.author.trim() === '') problems.push({ path: '$.author', message: 'is required' });
  return problems;
}

/** The first silence in force that covers the labels. It holds back the telling; the alert itself goes on. */
export function silencedBy<S extends Pick<Silence, 'matchers' | 'startsAt' | 'endsAt'>>(
  labels: Labels,
  silences: readonly S[],
  nowMs: number,
): S | null {
  const found = silences.find(
    ({ matchers, startsAt, endsAt }) =>
      startsAt <= nowMs && nowMs < endsAt && matchers.length > 0 && meetsAll(labels, matchers),
  );
  return found ?? null;
}
