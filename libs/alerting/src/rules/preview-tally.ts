import type { Labels } from '../instances/fingerprint';

interface Counts {
  readonly alerts: number;
  readonly occurrences: number;
}

/** What a rule would have come to. */
export interface RulePreview extends Counts {
  /** Every day of the period (UTC), oldest first. */
  readonly days: readonly ({ readonly day: string } & Counts)[];
  /** By the labels that it groups by, most alerts first; the first twenty. */
  readonly groups: readonly ({ readonly labels: Labels } & Counts)[];
}

/** A stretch of time in milliseconds; its end is not in it. */
export interface Period {
  readonly fromMs: number;
  readonly toMs: number;
}

const DAY_MS = 86_400_000;
const MOST_GROUPS = 20;
type Tally = { alerts: number; occurrences: number };

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** Counts alerts and occurrences by day and group. */
export class PreviewTally {
  private readonly all: Tally = { alerts: 0, occurrences: 0 };
  private readonly days = new Map<string, Tally>();
  private readonly groups = new Map<string, { readonly labels: Labels; readonly tally: Tally }>();

  constructor({ fromMs, toMs }: Period) {
    for (let ms = fromMs; ms < toMs; ms += DAY_MS) this.days.set(dayOf(ms), { alerts: 0, occurrences: 0 });
    this.days.set(dayOf(toMs - 1), { alerts: 0, occurrences: 0 });
  }

  add(what: keyof Tally, labels: Labels, atMs: number, times = 1): void {
    const key = JSON.stringify(Object.entries(labels));
    const group = this.groups.get(key) ?? { labels, tally: { alerts: 0, occurrences: 0 } };
    this.groups.set(key, group);
    for (const tally of [this.all, this.days.get(dayOf(atMs)), group.tally]) {
      if (tally !== undefined) tally[what] += times;
    }
  }

  preview(): RulePreview {
    const groups = [...this.groups.values()].sort(
      (a, b) => b.tally.alerts - a.tally.alerts || b.tally.occurrences - a.tally.occurrences,
    );
    return {
      ...this.all,
      days: [...this.days].map(([day, tally]) => ({ day, ...tally })),
      groups: groups.slice(0, MOST_GROUPS).map(({ labels, tally }) => ({ labels, ...tally })),
    };
  }
}
