import { FAILPOINTS } from '@holdfast/config';
import { startRedis, type TestRedis } from '@holdfast/testkit';
import { type Platform, runReplica, startPlatform, undisturbedRun, untilGone } from './platform';

let redis: TestRedis | null;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis?.destroy());

describe.each(['postgres', 'redis'] as const)('kill -9 of a worker, %s queue', (kind) => {
  let platform: Platform | undefined;
  let undisturbed: unknown;

  beforeAll(async () => {
    if (kind === 'redis' && redis === null) return;
    platform = await startPlatform(kind === 'redis' ? redis?.url : undefined);
    undisturbed = await undisturbedRun(platform);
  });
  afterEach(() => platform?.stopWorkers());
  afterAll(() => platform?.close());

  it.each(FAILPOINTS)('after %s: the state is that of an undisturbed run', async (point) => {
    if (platform === undefined) return;
    const doomed = await platform.startWorker({ failpoint: point });
    const { dump } = await runReplica(platform);
    await untilGone(doomed);
    expect(doomed.child.signalCode).toBe('SIGKILL');
    await platform.startWorker();
    expect(await dump).toEqual(undisturbed);
  });
});
