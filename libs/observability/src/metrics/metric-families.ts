import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** A counter whose every label value is there from the start, so that the first event is a rise that a rule can see. */
export function closedCounter<Value extends string>(
  registry: Registry,
  name: string,
  help: string,
  label: string,
  values: readonly Value[],
): (value: Value, by?: number) => void {
  const counter = new Counter({ name, help, labelNames: [label], registers: [registry] });
  for (const value of values) counter.inc({ [label]: value }, 0);
  return (value, by = 1) => counter.inc({ [label]: value }, by);
}

/** As `closedCounter`, over every pair of two labels. */
export function closedPairCounter<A extends string, B extends string>(
  registry: Registry,
  name: string,
  help: string,
  first: { readonly label: string; readonly values: readonly A[] },
  second: { readonly label: string; readonly values: readonly B[] },
): (a: A, b: B) => void {
  const counter = new Counter({ name, help, labelNames: [first.label, second.label], registers: [registry] });
  for (const a of first.values) {
    for (const b of second.values) counter.inc({ [first.label]: a, [second.label]: b }, 0);
  }
  return (a, b) => counter.inc({ [first.label]: a, [second.label]: b });
}

/** A counter without labels, zero from the start. */
export function plainCounter(registry: Registry, name: string, help: string): (by?: number) => void {
  const counter = new Counter({ name, help, registers: [registry] });
  return (by = 1) => counter.inc(by);
}

/** A histogram whose every label value is there from the start. */
export function closedHistogram<Value extends string>(
  registry: Registry,
  name: string,
  help: string,
  label: string,
  values: readonly Value[],
  buckets: number[],
): (value: Value, seconds: number) => void {
  const histogram = new Histogram({ name, help, labelNames: [label], buckets, registers: [registry] });
  for (const value of values) histogram.zero({ [label]: value });
  return (value, seconds) => histogram.observe({ [label]: value }, seconds);
}

/** A number, or nothing while nobody could look at it: what is not known is not zero. */
export function absentGauge(registry: Registry, name: string, help: string): (value: number | undefined) => void {
  const gauge = new Gauge({ name, help, registers: [registry] });
  gauge.remove();
  return (value) => {
    if (value === undefined) gauge.remove();
    else gauge.set(value);
  };
}

/** As `absentGauge`, with labels; `show` replaces all that was shown. */
export function absentGauges<Label extends string>(
  registry: Registry,
  name: string,
  help: string,
  labelNames: readonly Label[],
): (shown: readonly (readonly [Record<Label, string>, number])[]) => void {
  const gauge = new Gauge<string>({ name, help, labelNames: [...labelNames], registers: [registry] });
  return (shown) => {
    gauge.reset();
    for (const [labels, value] of shown) gauge.set(labels, value);
  };
}
