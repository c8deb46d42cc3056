import { until } from '@holdfast/testkit';
import { newId } from '@holdfast/persistence';
import { type Platform, putAgent } from './platform';
import { describeOnEachQueue, startPlatformOn } from './queue-kinds';
import { sampleWindow } from './sample-window';

const MANY = 100;
const SHARE = 6;

describeOnEachQueue('a tenant with a long queue', (kind) => {
  let platform: Platform;

  beforeAll(async () => (platform = await startPlatformOn(kind)));
  afterAll(() => platform.close());

  it('has its share and no more, so that another one does not wait behind all of it', async () => {
    const { tenantId: busy, database } = platform;
    const window = sampleWindow(16);
    for (let n = 0; n < MANY; n += 1) await platform.acceptUnsent(window);
    const quiet = newId();
    const sealKey = new Uint8Array(32).fill(9);
    await database.withTenant(quiet, (tx) => tx.tenant.create({ data: { id: quiet, name: quiet, sealKey } }));
    await putAgent(database, quiet, {});

    await platform.startWorker({ concurrency: 1, leaseMs: 60_000, environment: { TENANT_SHARE: String(SHARE) } });
    const finished = (tenantId: string): Promise<readonly Date[]> =>
      database.withTenant(tenantId, async (tx) => {
        const rows = await tx.compaction.findMany({ where: { tenantId, status: 'finished' } });
        return rows.flatMap(({ finishedAt }) => finishedAt ?? []);
      });
    await until(async () => ((await finished(busy)).length >= 3 ? true : undefined), {
      deadlineMs: 60_000,
      describe: () => 'the busy tenant is under way',
    });

    const accepted = await Promise.all([1, 2, 3].map((n) => platform.accept(window, { session: `quiet ${n}` }, quiet)));
    for (const { id } of accepted) await platform.untilFinished(id, quiet);
    const from = Math.max(...accepted.map(({ acceptedAt }) => Date.parse(acceptedAt)));
    const to = Math.max(...(await finished(quiet)).map((at) => at.getTime()));
    const all = (await finished(busy)).map((at) => at.getTime());

    // What was with the queue already, and what came in turns while these three went through both phases.
    expect(all.filter((at) => at > from && at <= to).length).toBeLessThanOrEqual(4 * SHARE);
    expect(all.filter((at) => at <= to).length).toBeLessThan(MANY);
  });
});
