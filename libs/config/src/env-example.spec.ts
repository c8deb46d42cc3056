import { renderEnvExample } from './env-example';
import { API_VARIABLES, MIGRATE_VARIABLES, WORKER_VARIABLES } from './variables';

const lines = renderEnvExample().split('\n');

it('the example names every variable once', () => {
  const named = lines.flatMap((line) => /^#?([A-Z_]+)=/.exec(line)?.[1] ?? []);
  const perProcess = ['PORT', 'METRICS_PORT'];
  const all = new Set([
    ...Object.keys(API_VARIABLES),
    ...Object.keys(WORKER_VARIABLES),
    ...Object.keys(MIGRATE_VARIABLES),
  ]);
  expect(named.filter((name) => !perProcess.includes(name)).sort()).toEqual(
    [...all].filter((name) => !perProcess.includes(name)).sort(),
  );
  expect(named.filter((name) => perProcess.includes(name))).toHaveLength(4);
});

it('the example leaves nothing uncommented but what must be set', () => {
  expect(lines.filter((line) => /^[A-Z]/.test(line))).toEqual(['DATABASE_URL=']);
});
