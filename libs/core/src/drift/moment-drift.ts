import { agreesWithClock, agreesWithDate, type CalendarDate, type Clock, type Moment } from './calendar';
import type { LiteralDrift } from './literal-drift';
import type { NumberIndex } from './number-index';
import type { SourceIndex } from './source-index';

/** Names the drift of a date or time; undefined where the sources hold it byte for byte. */
export function momentDrift(
  moment: Moment,
  text: string,
  index: SourceIndex,
  { moments }: NumberIndex,
): LiteralDrift | undefined {
  if (index.find(text, 'whole') !== -1) return undefined;
  const { date, clock } = moment;
  const both = moments.find((one) => holdsDate(date, one) && holdsClock(clock, one));
  const ofDate = both ?? moments.find((one) => date !== undefined && holdsDate(date, one));
  const ofClock = both ?? moments.find((one) => clock !== undefined && holdsClock(clock, one));
  const isDateHeld = date === undefined || ofDate !== undefined;
  const isClockHeld = clock === undefined || ofClock !== undefined;
  const source = ofDate ?? ofClock;
  if (isDateHeld && isClockHeld && source !== undefined) return drift('reformatted', source, index);
  const nearest = nearestMoment(moment, moments);
  if (nearest === undefined) return { kind: 'invented_value', expected: undefined };
  // A month without its day may be worked out from another date.
  const isDoubtful = date !== undefined && date.day === undefined && clock === undefined;
  return { ...drift('date_changed', nearest, index), isDoubtful };
}

function drift(kind: LiteralDrift['kind'], source: Moment, index: SourceIndex): LiteralDrift {
  return { kind, expected: index.text.slice(source.start, source.end), at: source.start };
}

function holdsDate(date: CalendarDate | undefined, source: Moment): boolean {
  return date === undefined || (source.date !== undefined && agreesWithDate(date, source.date));
}

function holdsClock(clock: Clock | undefined, source: Moment): boolean {
  return clock === undefined || (source.clock !== undefined && agreesWithClock(clock, source.clock));
}

function nearestMoment(moment: Moment, moments: readonly Moment[]): Moment | undefined {
  let nearest: Moment | undefined;
  let best = 0;
  for (const one of moments) {
    const alike = likeness(moment, one);
    if (alike > best) {
      best = alike;
      nearest = one;
    }
  }
  return nearest;
}

function likeness(moment: Moment, other: Moment): number {
  let alike = 0;
  if (moment.date !== undefined && other.date !== undefined) {
    alike += 1;
    if (moment.date.year === other.date.year) alike += 1;
    if (moment.date.month === other.date.month) alike += 1;
    if (moment.date.day === other.date.day) alike += 1;
    if (moment.date.day === other.date.month && moment.date.month === other.date.day) alike += 1.5;
  }
  if (moment.clock !== undefined && other.clock !== undefined) {
    alike += 0.5;
    if (moment.clock.hour === other.clock.hour) alike += 1;
    if (moment.clock.minute === other.clock.minute) alike += 1;
    if (moment.clock.second === other.clock.second) alike += 0.5;
  }
  return alike;
}
