import { connect } from 'node:net';
import { createPassRepository } from '@holdfast/persistence';
import { startEmbeddedPostgres, startRedis, type TestPostgres, type TestRedis, until } from '@holdfast/testkit';
import { gone, type Platform, runReplica, startPlatform, undisturbedRun, untilGone, untilRunning } from './platform';

function redisCommand(port: number, command: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(`${command}\r\n`));
    socket.once('data', (answer) => {
      resolve(answer.toString('latin1').trim());
      socket.destroy();
    });
    socket.once('error', reject);
  });
}

describe('PostgreSQL goes away', () => {
  let postgres: TestPostgres;
  let platform: Platform;
  let undisturbed: unknown;

  beforeAll(async () => {
    postgres = await startEmbeddedPostgres();
    platform = await startPlatform(undefined, postgres.connectionString());
    undisturbed = await undisturbedRun(platform);
  });
  afterEach(() => platform.stopWorkers());
  afterAll(async () => {
    await platform.close();
    await postgres.destroy();
  });

  it.each(['accepted', 'secured'] as const)('killed and restarted while a pass runs that is %s', async (phase) => {
    await platform.startWorker();
    const run = await runReplica(platform);
    await untilRunning(platform, run, phase);
    await postgres.stop('kill');
    await postgres.start();
    expect(await run.dump).toEqual(undisturbed);
  });
});

describe('Redis goes away', () => {
  let redis: TestRedis | null;
  let platform: Platform | undefined;
  let undisturbed: unknown;

  beforeAll(async () => {
    redis = await startRedis();
    if (redis === null) return;
    platform = await startPlatform(redis.url);
    undisturbed = await undisturbedRun(platform);
  });
  afterEach(() => platform?.stopWorkers());
  afterAll(async () => {
    await platform?.close();
    await redis?.destroy();
  });

  it('flushed while a pass runs', async () => {
    if (platform === undefined || redis === null) return;
    await platform.startWorker();
    const run = await runReplica(platform);
    await untilRunning(platform, run, 'accepted');
    expect(await redisCommand(redis.port, 'FLUSHALL')).toBe('+OK');
    expect(await run.dump).toEqual(undisturbed);
  });

  it('killed while a pass runs, and back later', async () => {
    if (platform === undefined || redis === null) return;
    await platform.startWorker();
    const run = await runReplica(platform);
    await untilRunning(platform, run, 'accepted');
    await redis.stop('kill');
    const [first] = run.compactions;
    // What was taken is secured without the queue.
    await until(async () => {
      const now = await platform?.find(first?.id ?? '', run.tenantId);
      return now?.phase === 'accepted' ? undefined : true;
    });
    await redis.start();
    expect(await run.dump).toEqual(undisturbed);
  });

  it('away when windows are accepted', async () => {
    if (platform === undefined || redis === null) return;
    await platform.startWorker();
    await redis.stop('kill');
    const run = await runReplica(platform);
    await redis.start();
    expect(await run.dump).toEqual(undisturbed);
  });
});

describe('a worker', () => {
  let platform: Platform;
  let undisturbed: unknown;

  beforeAll(async () => {
    platform = await startPlatform();
    undisturbed = await undisturbedRun(platform);
  });
  afterEach(() => platform.stopWorkers());
  afterAll(() => platform.close());

  it('stopped past its lease and continued is fenced off, and nothing is doubled', async () => {
    const zombie = await platform.startWorker({ leaseMs: 1_000 });
    const run = await runReplica(platform);
    await untilRunning(platform, run, 'accepted');
    process.kill(zombie.pid, 'SIGSTOP');
    await platform.startWorker();
    expect(await run.dump).toEqual(undisturbed);
    process.kill(zombie.pid, 'SIGCONT');
    await until(() => (/FENCED|holds the session/.test(zombie.output()) ? true : undefined), {
      describe: () => `the zombie is fenced off:\n${zombie.output()}`,
    });
    const again = await runReplica(platform);
    expect(await again.dump).toEqual(undisturbed);
    expect(await run.dump).toEqual(undisturbed);
  });

  it('told to end gives its pass back or ends it, counts no attempt, and leaves with 0', async () => {
    const ending = await platform.startWorker({ environment: { SHUTDOWN_DEADLINE_MS: '10000' } });
    const run = await runReplica(platform);
    await untilRunning(platform, run, 'accepted');
    process.kill(ending.pid, 'SIGTERM');
    await untilGone(ending);
    expect(ending.child.exitCode).toBe(0);
    await platform.startWorker();
    expect(await run.dump).toEqual(undisturbed);
    for (const { id } of run.compactions) expect((await platform.find(id, run.tenantId)).attempt).toBe(0);
  });

  it('that is always killed at the same point is given up after its attempts, and the session goes on', async () => {
    const run = await runReplica(platform);
    const [first, second] = run.compactions;
    const passes = createPassRepository(platform.database);
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const claim = await passes.claim(first?.id ?? '', { owner: 'doomed', leaseMs: 0, maxAttempts: 5 });
      expect(claim.kind).toBe('claimed');
    }
    const worker = await platform.startWorker();
    const failed = await platform.untilFinished(first?.id ?? '', run.tenantId);
    expect(failed).toMatchObject({ outcome: 'failed', errorCode: 'ATTEMPTS_EXHAUSTED' });
    expect((await platform.untilFinished(second?.id ?? '', run.tenantId)).outcome).toBe('compacted');
    expect(gone(worker)).toBe(false);
  });
});
