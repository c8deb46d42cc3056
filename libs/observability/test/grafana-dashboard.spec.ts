import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { expositionAtStart } from './exposition';
import { unknownIn } from './unknown-series';

const ROOT = join(__dirname, '../../..');
const source = z.object({ type: z.literal('prometheus'), uid: z.literal('${DS_PROMETHEUS}') });
const place = z.object({ h: z.int(), w: z.int(), x: z.int(), y: z.int() });
const link = z.object({ title: z.string(), url: z.string() });
const row = z.object({ type: z.literal('row'), id: z.int(), title: z.string(), gridPos: place });
const panel = z.object({
  type: z.enum(['stat', 'timeseries']),
  id: z.int(),
  title: z.string(),
  datasource: source,
  gridPos: place,
  fieldConfig: z.object({ defaults: z.object({ links: z.array(link) }) }),
  targets: z.array(z.object({ refId: z.string(), datasource: source, expr: z.string().min(1) })).min(1),
});
const dashboardSchema = z.object({
  uid: z.literal('holdfast'),
  templating: z.object({ list: z.array(z.object({ name: z.string(), type: z.string(), query: z.string() })) }),
  panels: z.array(z.union([row, panel])),
});

const text = readFileSync(join(ROOT, 'deploy/grafana/dashboards/holdfast.json'), 'utf8');
const dashboard = dashboardSchema.parse(JSON.parse(text));
const panels = dashboard.panels.filter((one) => one.type !== 'row');

describe('deploy/grafana/dashboards/holdfast.json', () => {
  it('has its rows in order', () => {
    const rows = dashboard.panels.filter((one) => one.type === 'row').map(({ title }) => title);
    expect(rows).toEqual(['Overview', 'Pipeline', 'Refusals', 'Effects', 'Queues', 'Alerting', 'API and processes']);
  });

  it('takes its source from a variable, so that it can be imported and provisioned', () => {
    const variable = dashboard.templating.list.find(({ name }) => name === 'DS_PROMETHEUS');
    expect(variable).toMatchObject({ type: 'datasource', query: 'prometheus' });
  });

  it.each(panels.map((one) => [one.title, one] as const))(
    '%s shows what API and worker have',
    async (_, { targets }) => {
      for (const service of ['api', 'worker'] as const) {
        const exposition = await expositionAtStart(service);
        for (const { expr } of targets) expect(unknownIn(expr, exposition)).toEqual([]);
      }
    },
  );

  it('no panel lies over another, and none has the id of another', () => {
    expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
    const cells = dashboard.panels.flatMap(({ gridPos: { h, w, x, y } }) =>
      Array.from({ length: h * w }, (_, at) => `${x + (at % w)} ${y + Math.floor(at / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
  });

  it('its links carry the range of time', () => {
    const links = panels.flatMap((one) => one.fieldConfig.defaults.links);
    expect(links.length).toBeGreaterThan(5);
    for (const { url } of links) expect(url).toMatch(/^\$\{dashboard_url\}\/[a-z]+\?from=\$\{__from\}&to=\$\{__to\}$/);
  });

  it('every family of Holdfast has its place', async () => {
    const { families } = await expositionAtStart('worker');
    const unshown = [...families].filter((name) => name.startsWith('holdfast_') && !text.includes(name));
    expect(unshown).toEqual([]);
  });
});

describe('the provisioning of Grafana', () => {
  const read = (path: string): unknown => parse(readFileSync(join(ROOT, 'deploy/grafana/provisioning', path), 'utf8'));

  it('has one Prometheus, and the folder of the dashboards', () => {
    expect(read('datasources/prometheus.yml')).toMatchObject({
      apiVersion: 1,
      datasources: [{ type: 'prometheus', isDefault: true, url: 'http://prometheus:9090' }],
    });
    expect(read('dashboards/holdfast.yml')).toMatchObject({
      apiVersion: 1,
      providers: [{ type: 'file', options: { path: '/var/lib/grafana/dashboards' } }],
    });
  });
});
