import { momentsIn, secondsOfDay, type Moment } from './calendar';
import { quantitiesIn, type Quantity } from './quantity';

/** The numbers and dates of the sources. */
export interface NumberIndex {
  readonly quantities: readonly Quantity[];
  readonly moments: readonly Moment[];
  /** Quantities of an amount, whatever their unit and sign. */
  readonly withAmount: (amount: number) => readonly Quantity[];
}

export function indexNumbers(text: string): NumberIndex {
  const moments = momentsIn(text);
  const quantities = withDatesEmbedded(quantitiesIn(text), moments);
  const byAmount = new Map<string, Quantity[]>();
  for (const quantity of quantities) {
    const key = keyOf(quantity.amount);
    const list = byAmount.get(key);
    if (list === undefined) byAmount.set(key, [quantity]);
    else if (list.length < MAX_PLACES) list.push(quantity);
  }
  return {
    quantities,
    moments,
    withAmount: (amount) => byAmount.get(keyOf(amount)) ?? [],
  };
}

/** Numbers inside dates support a value, but nobody mistakes them for one. */
function withDatesEmbedded(quantities: readonly Quantity[], moments: readonly Moment[]): readonly Quantity[] {
  let next = 0;
  return quantities.map((quantity) => {
    while ((moments[next]?.end ?? Infinity) <= quantity.start) next++;
    const moment = moments[next];
    return moment !== undefined && moment.start < quantity.end ? { ...quantity, isEmbedded: true } : quantity;
  });
}

function keyOf(amount: number): string {
  return amount.toPrecision(12);
}

/** Places of one amount that are looked at. */
const MAX_PLACES = 300;

/** Moments are compared in pairs up to this many of them. */
const MAX_MOMENTS = 150;

/** Lengths of time between any two times of the texts, in seconds. */
export function durationsBetween(moments: readonly Moment[]): ReadonlySet<number> {
  const seconds = new Set<number>();
  for (const { clock } of moments) {
    if (clock !== undefined && seconds.size < MAX_MOMENTS) seconds.add(secondsOfDay(clock));
  }
  const durations = new Set<number>();
  const list = [...seconds];
  for (const from of list) {
    for (const to of list) {
      const between = to - from;
      durations.add(roundedMillis(between < 0 ? between + 86_400 : between));
      durations.add(roundedMillis(between < 0 ? between + 43_200 : between));
    }
  }
  return durations;
}

function roundedMillis(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}
