import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { expositionAtStart } from './exposition';
import { selectorsOf } from './promql-names';
import { unknownIn } from './unknown-series';

const ROOT = join(__dirname, '../../..');
const duration = z.string().regex(/^\d+[smhd]$/);
const rule = z.strictObject({
  alert: z.string().regex(/^(?:Holdfast[A-Z]\w+|Watchdog)$/),
  expr: z.string().min(1),
  for: duration.optional(),
  keep_firing_for: duration.optional(),
  labels: z.strictObject({ severity: z.enum(['critical', 'warning', 'none']) }),
  annotations: z.strictObject({
    summary: z.string().min(10),
    description: z.string().min(10),
    runbook_url: z.string().regex(/^docs\/RUNBOOK\.md#[a-z]+$/),
  }),
});
const rulesSchema = z.strictObject({
  groups: z.array(z.strictObject({ name: z.string(), rules: z.array(rule).min(1) })).min(1),
});
const testsSchema = z.strictObject({
  rule_files: z.tuple([z.literal('rules.yml')]),
  evaluation_interval: duration,
  tests: z.array(
    z.strictObject({
      name: z.string(),
      interval: duration,
      input_series: z.array(z.strictObject({ series: z.string(), values: z.string() })),
      alert_rule_test: z.array(
        z.strictObject({
          eval_time: duration,
          alertname: z.string(),
          exp_alerts: z.array(
            z.strictObject({
              exp_labels: z.record(z.string(), z.string()),
              exp_annotations: z.record(z.string(), z.string()),
            }),
          ),
        }),
      ),
    }),
  ),
});

const read = (path: string): unknown => parse(readFileSync(join(ROOT, path), 'utf8'));
const { groups } = rulesSchema.parse(read('deploy/prometheus/rules.yml'));
const rules = groups.flatMap((group) => group.rules);

describe('deploy/prometheus/rules.yml', () => {
  it('has groups and alerts of different names', () => {
    for (const names of [groups.map(({ name }) => name), rules.map(({ alert }) => alert)]) {
      expect(new Set(names).size).toBe(names.length);
    }
  });

  it.each(rules.map((one) => [one.alert, one] as const))('%s names what API and worker show', async (_, { expr }) => {
    for (const service of ['api', 'worker'] as const) {
      expect(unknownIn(expr, await expositionAtStart(service))).toEqual([]);
    }
  });

  it('an alert on a rise of a counter goes on long enough to be seen', () => {
    const once = rules.filter(({ expr, for: wait }) => /^(?:sum[^(]*\()?\(?increase/.test(expr) && wait === undefined);
    expect(once.length).toBeGreaterThan(0);
    expect(once.filter((one) => one.keep_firing_for === undefined).map(({ alert }) => alert)).toEqual([]);
  });

  it('each alert has its section in the runbook, and each section its alert', () => {
    const sections = [...readFileSync(join(ROOT, 'docs/RUNBOOK.md'), 'utf8').matchAll(/^### (\w+)$/gm)];
    expect(sections.map(([, title]) => title).sort()).toEqual(rules.map(({ alert }) => alert).sort());
    for (const { alert, annotations } of rules) {
      expect(annotations.runbook_url).toBe(`docs/RUNBOOK.md#${alert.toLowerCase()}`);
    }
  });
});

describe('deploy/prometheus/rules.test.yml', () => {
  const { tests } = testsSchema.parse(read('deploy/prometheus/rules.test.yml'));

  it('tests alerts that there are, with the words that they have', () => {
    for (const { alertname, exp_alerts } of tests.flatMap((test) => test.alert_rule_test)) {
      const tested = rules.find(({ alert }) => alert === alertname);
      if (tested === undefined) throw new Error(`there is no alert ${alertname}`);
      for (const { exp_labels, exp_annotations } of exp_alerts) {
        expect(exp_labels['severity']).toBe(tested.labels.severity);
        expect(exp_annotations['runbook_url']).toBe(tested.annotations.runbook_url);
        for (const name of ['summary', 'description'] as const) {
          const [before = ''] = tested.annotations[name].split('{{');
          expect(exp_annotations[name]?.startsWith(before)).toBe(true);
        }
      }
    }
  });

  it('feeds series that a process shows', async () => {
    const exposition = await expositionAtStart('worker');
    for (const { series } of tests.flatMap((test) => test.input_series)) {
      expect(selectorsOf(series)).toHaveLength(1);
      expect(unknownIn(series, exposition)).toEqual([]);
    }
  });
});
