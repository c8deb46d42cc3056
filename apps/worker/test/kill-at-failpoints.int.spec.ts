import { FAILPOINTS } from '@holdfast/config';
import { type Platform, runReplica, undisturbedRun, untilGone } from './platform';
import { describeOnEachQueue, startPlatformOn } from './queue-kinds';

describeOnEachQueue('kill -9 of a worker', (kind) => {
  let platform: Platform;
  let undisturbed: unknown;

  beforeAll(async () => {
    platform = await startPlatformOn(kind);
    undisturbed = await undisturbedRun(platform);
  });
  afterEach(() => platform.stopWorkers());
  afterAll(() => platform.close());

  it.each(FAILPOINTS)('after %s: the state is that of an undisturbed run', async (point) => {
    const doomed = await platform.startWorker({ failpoint: `kill:after:${point}` });
    const { dump } = await runReplica(platform);
    await untilGone(doomed);
    expect(doomed.child.signalCode).toBe('SIGKILL');
    await platform.startWorker();
    expect(await dump).toEqual(undisturbed);
  });
});
