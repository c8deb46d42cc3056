import { FAILPOINTS, loadFailpoint } from './failpoint';

it.each(FAILPOINTS)('after:%s is armed in tests, to kill or to stop', (point) => {
  const armed = (setting: string) => loadFailpoint({ NODE_ENV: 'test', HOLDFAST_FAILPOINT: setting });
  expect(armed(`after:${point}`)).toEqual({ action: 'kill', point });
  expect(armed(`kill:after:${point}`)).toEqual({ action: 'kill', point });
  expect(armed(`stop:after:${point}`)).toEqual({ action: 'stop', point });
});

it.each([
  [{ HOLDFAST_FAILPOINT: 'after:claimed' }],
  [{ NODE_ENV: 'production', HOLDFAST_FAILPOINT: 'after:claimed' }],
  [{ NODE_ENV: 'production', HOLDFAST_FAILPOINT: 'stop:after:claimed' }],
  [{ NODE_ENV: 'development', HOLDFAST_FAILPOINT: 'after:claimed' }],
  [{ NODE_ENV: 'test', HOLDFAST_FAILPOINT: 'after:lunch' }],
  [{ NODE_ENV: 'test', HOLDFAST_FAILPOINT: 'pause:after:claimed' }],
  [{ NODE_ENV: 'test', HOLDFAST_FAILPOINT: 'claimed' }],
  [{ NODE_ENV: 'test' }],
])('%p arms nothing', (environment) => {
  expect(loadFailpoint(environment)).toBeUndefined();
});
