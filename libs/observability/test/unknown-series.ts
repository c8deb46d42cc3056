import { type Exposition, familyOf } from './exposition';
import { selectorsOf } from './promql-names';

/** Series that Prometheus itself makes. */
const OF_PROMETHEUS = new Set(['up', 'ALERTS']);
/** Labels that are filled in only while something runs, or by the scrape. */
const OPEN_LABELS = new Set(['job', 'instance', 'le', 'queue', 'state', 'severity', 'route', 'method']);

/** What an expression names that no process shows: metrics, and values of labels that no series can ever have. */
export function unknownIn(expression: string, { families, values }: Exposition): readonly string[] {
  return selectorsOf(expression).flatMap(({ name, matchers }) => {
    if (OF_PROMETHEUS.has(name)) return [];
    const family = familyOf(name, families);
    if (!families.has(family)) return [name];
    return matchers.flatMap(({ label, operator, value }) => {
      if (OPEN_LABELS.has(label)) return [];
      const known = values.get(`${family} ${label}`);
      const wanted = operator.endsWith('~') ? value.split('|') : [value];
      return wanted.filter((one) => known?.has(one) !== true).map((one) => `${name}{${label}="${one}"}`);
    });
  });
}
