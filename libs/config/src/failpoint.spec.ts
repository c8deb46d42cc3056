import { FAILPOINTS, loadFailpoint } from './failpoint';

it.each(FAILPOINTS)('after:%s is armed in tests', (point) => {
  expect(loadFailpoint({ NODE_ENV: 'test', HOLDFAST_FAILPOINT: `after:${point}` })).toBe(point);
});

it.each([
  [{ HOLDFAST_FAILPOINT: 'after:claimed' }],
  [{ NODE_ENV: 'production', HOLDFAST_FAILPOINT: 'after:claimed' }],
  [{ NODE_ENV: 'development', HOLDFAST_FAILPOINT: 'after:claimed' }],
  [{ NODE_ENV: 'test', HOLDFAST_FAILPOINT: 'after:lunch' }],
  [{ NODE_ENV: 'test' }],
])('%p arms nothing', (environment) => {
  expect(loadFailpoint(environment)).toBeUndefined();
});
