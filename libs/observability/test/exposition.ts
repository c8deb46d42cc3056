import { createMetrics } from '../src';

/** Names and label values that a process shows at its start; API and worker show the same families. */
export interface Exposition {
  readonly text: string;
  /** Names of families: of a histogram without its endings. */
  readonly families: ReadonlySet<string>;
  /** Values that each label of a family has at the start: `holdfast_passes_total outcome` to its outcomes. */
  readonly values: ReadonlyMap<string, ReadonlySet<string>>;
}

export async function expositionAtStart(service: 'api' | 'worker'): Promise<Exposition> {
  const metrics = createMetrics({ service, version: '0.1.0', commit: 'abc1234' });
  metrics.expectRoutes([{ method: 'GET', route: '/v1/agents/{agent}' }]);
  metrics.expectQueues(['compaction-secure']);
  return readExposition(await metrics.renderMetrics());
}

export function readExposition(text: string): Exposition {
  const families = new Set([...text.matchAll(/^# TYPE (\S+) /gm)].map(([, name = '']) => name));
  const values = new Map<string, Set<string>>();
  for (const [, name = '', labels = ''] of text.matchAll(/^(\w+)\{(.*)\} \S+$/gm)) {
    for (const [, label = '', value = ''] of labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)) {
      const key = `${familyOf(name, families)} ${label}`;
      values.set(key, (values.get(key) ?? new Set()).add(value));
    }
  }
  return { text, families, values };
}

export function familyOf(name: string, families: ReadonlySet<string>): string {
  const stem = name.replace(/_(?:bucket|sum|count)$/, '');
  return families.has(name) || !families.has(stem) ? name : stem;
}
