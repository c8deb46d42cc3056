import { connect } from 'node:net';
import { createPassRepository } from '@holdfast/persistence';
import {
  startEmbeddedPostgres,
  type TestPostgres,
  type TestRedis,
  until,
  type WatchedProcess,
} from '@holdfast/testkit';
import {
  gone,
  type Platform,
  REPLICA_SESSION,
  runReplica,
  startPlatform,
  undisturbedRun,
  untilGone,
  untilRunning,
  untilStopped,
} from './platform';
import { describeOnRedis, loadRedis } from './queue-kinds';
import { dumpSession } from './session-dump';

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

/** What a worker logs about a write that came too late. */
const FENCED = /"code":"FENCED"|Another worker holds the session/;
const REFUSED = /"code":"(FENCED|STORE_UNAVAILABLE)"|Another worker holds the session/;

/** The compactions about which this worker logged that. */
function passesWith(refusal: RegExp, worker: WatchedProcess): readonly string[] {
  return worker
    .output()
    .split('\n')
    .filter((line) => refusal.test(line))
    .map((line) => /"compaction_id":"([^"]+)"/.exec(line)?.[1] ?? 'unknown');
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

describeOnRedis('Redis goes away', () => {
  let redis: TestRedis;
  let platform: Platform;
  let undisturbed: unknown;

  beforeAll(async () => {
    redis = await loadRedis();
    platform = await startPlatform(redis.url);
    undisturbed = await undisturbedRun(platform);
  });
  afterEach(() => platform.stopWorkers());
  afterAll(async () => {
    await platform.close();
    await redis.destroy();
  });

  it('flushed while a pass runs', async () => {
    await platform.startWorker();
    const run = await runReplica(platform);
    await untilRunning(platform, run, 'accepted');
    expect(await redisCommand(redis.port, 'FLUSHALL')).toBe('+OK');
    expect(await run.dump).toEqual(undisturbed);
  });

  it('killed while a pass runs, and back later', async () => {
    await platform.startWorker();
    const run = await runReplica(platform);
    await untilRunning(platform, run, 'accepted');
    await redis.stop('kill');
    const [first] = run.compactions;
    // What was taken is secured without the queue.
    await until(async () => {
      const now = await platform.find(first?.id ?? '', run.tenantId);
      return now.phase === 'accepted' ? undefined : true;
    });
    await redis.start();
    expect(await run.dump).toEqual(undisturbed);
  });

  it('away when windows are accepted', async () => {
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

  // Inside of a transaction it holds locks, until the server ends the connection: then the write fails for want of that.
  it.each([
    ['prepared', FENCED],
    ['verified', FENCED],
    ['secured_before_commit', REFUSED],
    ['finished_before_commit', REFUSED],
  ])(
    'stopped after %s past its lease and continued writes nothing more, and nothing is doubled',
    async (point, refusal) => {
      const zombie = await platform.startWorker({ leaseMs: 1_000, failpoint: `stop:after:${point}` });
      const run = await runReplica(platform);
      await untilStopped(zombie);
      const [first] = run.compactions;
      if (first === undefined) throw new Error('no compaction');
      expect(await platform.find(first.id, run.tenantId)).toMatchObject({ status: 'running', attempt: 0 });
      await platform.startWorker();
      expect(await run.dump).toEqual(undisturbed);
      // Another worker took it over, and the zombie knows nothing of that.
      expect((await platform.find(first.id, run.tenantId)).attempt).toBeGreaterThan(0);
      expect(passesWith(refusal, zombie)).toEqual([]);
      process.kill(zombie.pid, 'SIGCONT');
      await until(() => (passesWith(refusal, zombie).includes(first.id) ? true : undefined), {
        deadlineMs: 120_000,
        describe: () => `a late write of the zombie is refused:\n${zombie.output()}`,
      });
      expect(await dumpSession(platform.testDatabase.connectionString, run.tenantId, REPLICA_SESSION.id)).toEqual(
        undisturbed,
      );
      // It is of use again.
      const again = await runReplica(platform);
      expect(await again.dump).toEqual(undisturbed);
    },
  );

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
