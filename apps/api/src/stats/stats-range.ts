import { MAX_STATS_POINTS, type RequestError, STATS_BUCKETS, type StatsBucket } from '@holdfast/contracts';

export interface StatsRange {
  readonly from: Date;
  readonly to: Date;
  readonly bucket: StatsBucket;
}

const DAY_MS = 86_400_000;
/** A Monday, so that weeks begin on one; every narrower bucket divides a day. */
const ORIGIN_MS = Date.UTC(2000, 0, 3);
const EARLIEST_MS = Date.UTC(2000, 0, 3);

/** The range of a chart, widened to whole buckets; what is wrong with it otherwise. */
export function statsRange(
  asked: {
    readonly from?: string | undefined;
    readonly to?: string | undefined;
    readonly bucket?: StatsBucket | undefined;
  },
  now: Date,
): StatsRange | RequestError {
  const to = asked.to === undefined ? now.getTime() : Date.parse(asked.to);
  const from = asked.from === undefined ? to - DAY_MS : Date.parse(asked.from);
  if (from >= to) return wrong('/from', 'is not before the end of the range');
  if (from < EARLIEST_MS) return wrong('/from', 'is before the year 2000');
  if (to > now.getTime() + 366 * DAY_MS) return wrong('/to', 'is more than a year ahead');
  const names = asked.bucket === undefined ? (Object.keys(STATS_BUCKETS) as StatsBucket[]) : [asked.bucket];
  for (const bucket of names) {
    const width = STATS_BUCKETS[bucket] * 1_000;
    const start = ORIGIN_MS + Math.floor((from - ORIGIN_MS) / width) * width;
    const end = ORIGIN_MS + Math.ceil((to - ORIGIN_MS) / width) * width;
    if ((end - start) / width <= MAX_STATS_POINTS) return { from: new Date(start), to: new Date(end), bucket };
  }
  return asked.bucket === undefined
    ? wrong('/from', 'is too long ago: the range has more than 500 weeks')
    : wrong('/bucket', `makes more than ${String(MAX_STATS_POINTS)} points of this range`);
}

function wrong(path: string, message: string): RequestError {
  return { code: 'FIELD_OUT_OF_RANGE', path, in: 'query', message };
}
