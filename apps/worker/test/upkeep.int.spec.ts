import { createAuditRepository, createDataKeyRepository, createOperatorKeys } from '@holdfast/persistence';
import { until } from '@holdfast/testkit';
import { type Platform, startPlatform } from './platform';
import { sampleWindow } from './sample-window';

let platform: Platform;

beforeAll(async () => (platform = await startPlatform()));
afterAll(() => platform.close());

it('a worker wraps data keys with the newest operator key, and logs the newest hash of the audit log', async () => {
  const { tenantId, database } = platform;
  const { id } = await platform.acceptUnsent(sampleWindow(16));
  const audit = createAuditRepository(database);
  await audit.record(tenantId, { actor: 'key', action: 'agent.put', subject: 'bot' });
  const head = await audit.findHead(tenantId);
  const oldKey = { name: 'k1', key: Buffer.alloc(32, 7) };
  const newKey = { name: 'k2', key: Buffer.alloc(32, 8) };
  const keys = createDataKeyRepository(database, createOperatorKeys([newKey, oldKey]));
  expect((await keys.list(tenantId)).map(({ wrappedBy }) => wrappedBy)).toEqual(['k1']);

  const both = [newKey, oldKey].map(({ name, key }) => `${name}:${key.toString('base64')}`).join(',');
  const worker = await platform.startWorker({ environment: { ENCRYPTION_KEYS: both } });
  await until(() => (worker.output().includes('Data keys are wrapped by the newest') ? true : undefined), {
    deadlineMs: 30_000,
    describe: () => `data keys are wrapped anew:\n${worker.output()}`,
  });
  expect((await keys.list(tenantId)).map(({ wrappedBy }) => wrappedBy)).toEqual(['k2']);
  const anchors = worker
    .output()
    .split('\n')
    .filter((line) => line.includes('"Audit anchor"'));
  expect(anchors.join('\n')).toContain(head?.hash);
  // What the old one wrapped is read by the new one.
  expect(await platform.untilFinished(id)).toMatchObject({ status: 'finished', outcome: 'compacted' });
});
