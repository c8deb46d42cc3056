import { Client } from 'pg';
import { until } from '@holdfast/testkit';
import { type Platform, type ReplicaRun, runReplica, startPlatform, undisturbedRun } from './platform';

const SESSIONS = 12;
const KILLS = 8;

let platform: Platform;
let client: Client;
let undisturbed: unknown;

beforeAll(async () => {
  platform = await startPlatform();
  client = new Client({ connectionString: platform.testDatabase.connectionString });
  client.on('error', () => undefined);
  await client.connect();
  undisturbed = await undisturbedRun(platform);
});
afterAll(async () => {
  await client.end();
  await platform.close();
});

async function finishedPasses(): Promise<number> {
  const { rows } = await client.query<{ n: number }>(
    `select count(*)::int as n from compactions where status = 'finished'`,
  );
  return rows[0]?.n ?? 0;
}

it('workers killed in turns while many sessions run: each pass ends once, each state is that of an undisturbed run', async () => {
  const start = () => platform.startWorker({ environment: { MAX_ATTEMPTS: '100' } });
  const workers = [await start(), await start()];
  const before = await finishedPasses();
  const runs: ReplicaRun[] = [];
  for (let at = 0; at < SESSIONS; at += 1) runs.push(await runReplica(platform));
  let kills = 0;
  for (let at = 0; at < KILLS; at += 1) {
    // Progress decides when the next one dies, so that every kill hits a worker at work.
    const wanted = before + 1 + at;
    await until(async () => ((await finishedPasses()) >= wanted ? true : undefined), { deadlineMs: 120_000 });
    await workers[at % 2]?.stop('SIGKILL');
    workers[at % 2] = await start();
    kills += 1;
  }
  for (const run of runs) expect(await run.dump).toEqual(undisturbed);
  const { rows } = await client.query(
    `select compaction_id from events where type = 'finished' group by compaction_id having count(*) <> 1`,
  );
  expect(rows).toEqual([]);
  expect(kills).toBe(KILLS);
  const { rows: epochs } = await client.query<{ taken: number }>(`select sum(attempt)::int as taken from compactions`);
  // The run did something: at least one pass was taken over from a dead worker.
  expect(epochs[0]?.taken).toBeGreaterThan(0);
}, 480_000);
