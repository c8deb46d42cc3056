export const DRIFT_GROUP_STATES = ['new', 'ongoing', 'escalating', 'regressed', 'archived', 'resolved'] as const;
export type DriftGroupStateName = (typeof DRIFT_GROUP_STATES)[number];

/** Until when an archived group stays out of sight. */
export type ArchivedUntil =
  | { readonly kind: 'time'; readonly atMs: number }
  /** The group's count of occurrences. */
  | { readonly kind: 'count'; readonly count: number }
  | { readonly kind: 'escalates' };

/**
 * State of a group of drift incidents.
 *
 * ```
 * new ------ a week ------> ongoing          any open one -- rate above --> escalating
 * regressed  a week ------> ongoing          escalating -- a quiet day, or rate below --> ongoing
 * any -- resolve --> resolved -- occurrence --> regressed
 * any -- archive --> archived -- its time, its count --> ongoing; rate above, where it waits for that --> escalating
 * archived, resolved -- reopen --> ongoing
 * ```
 */
export type DriftGroupState =
  | { readonly name: 'new' | 'ongoing' | 'escalating' | 'regressed'; readonly sinceMs: number }
  | { readonly name: 'archived'; readonly until: ArchivedUntil }
  | { readonly name: 'resolved' };

/**
 * The rate of a group against its own past: `above` is what escalates, `below` is less than half of that, so that a
 * group at the edge does not go to and fro.
 */
export type DriftRate = 'above' | 'between' | 'below';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** A week: after it nobody calls a group new, or its return news. */
export const NEWS_MS = 7 * DAY_MS;
/** Without an occurrence for this long an escalation is over. */
export const QUIET_MS = DAY_MS;
/** The span whose occurrences are compared with the hourly mean of the time before it. */
export const RATE_SPAN_MS = HOUR_MS;
/** Fewer occurrences than this in an hour are never an escalation: one pass can report that many. */
export const LEAST_ESCALATING = 10;
/** So many times the mean is one. */
export const ESCALATION_FACTOR = 4;

/**
 * How many occurrences the last hour must have had for the group to escalate: at least 10, and at least four times the
 * hourly mean of the whole time before that hour. Undefined while that time is shorter than an hour.
 *
 * `recent >= 4 * (count - recent) / hours`, solved for `recent`, so that one look at the k-th newest occurrence decides.
 */
export function escalationThreshold(count: number, firstSeenMs: number, nowMs: number): number | undefined {
  const hoursBefore = (nowMs - RATE_SPAN_MS - firstSeenMs) / HOUR_MS;
  if (!(hoursBefore >= 1)) return undefined;
  return Math.max(LEAST_ESCALATING, Math.ceil((ESCALATION_FACTOR * count) / (hoursBefore + ESCALATION_FACTOR)));
}

/** What another occurrence does; `count` includes it. */
export function afterOccurrence(
  state: DriftGroupState,
  { nowMs, count, rate }: { readonly nowMs: number; readonly count: number; readonly rate: DriftRate },
): DriftGroupState {
  switch (state.name) {
    case 'resolved':
      return { name: 'regressed', sinceMs: nowMs };
    case 'archived': {
      const { until } = state;
      if (until.kind === 'escalates') return rate === 'above' ? { name: 'escalating', sinceMs: nowMs } : state;
      const isOver = until.kind === 'time' ? nowMs >= until.atMs : count >= until.count;
      return isOver ? { name: 'ongoing', sinceMs: nowMs } : state;
    }
    case 'escalating':
      return rate === 'below' ? { name: 'ongoing', sinceMs: nowMs } : state;
    default:
      return rate === 'above' ? { name: 'escalating', sinceMs: nowMs } : state;
  }
}

/** What the passing of time does. Applied before an occurrence, and whenever groups are looked at. */
export function afterTime(
  state: DriftGroupState,
  { nowMs, lastSeenMs }: { readonly nowMs: number; readonly lastSeenMs: number },
): DriftGroupState {
  const ongoing: DriftGroupState = { name: 'ongoing', sinceMs: nowMs };
  switch (state.name) {
    case 'new':
    case 'regressed':
      return nowMs - state.sinceMs >= NEWS_MS ? ongoing : state;
    case 'escalating':
      return nowMs - lastSeenMs >= QUIET_MS ? ongoing : state;
    case 'archived':
      return state.until.kind === 'time' && nowMs >= state.until.atMs ? ongoing : state;
    default:
      return state;
  }
}
