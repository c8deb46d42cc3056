import { Client } from 'pg';
import { startEmbeddedPostgres, startFaultProxy, type TestPostgres } from '@holdfast/testkit';
import { createQueueBackend, type JobHandlers, migrateQueueSchema } from '../src';
import { newJob } from './observed-consumer';

jest.setTimeout(60_000);

const HANDLERS: JobHandlers = {
  'compaction.secure': async () => undefined,
  'compaction.summarize': async () => undefined,
  'alert.deliver': async () => undefined,
};

let server: TestPostgres;
let connectionString: string;
let databases = 0;

beforeAll(async () => {
  server = await startEmbeddedPostgres();
});
afterAll(() => server.destroy());

beforeEach(async () => {
  const name = `queue_${(databases += 1)}`;
  await ask(server.connectionString(), `create database ${name}`);
  connectionString = server.connectionString(name);
});

async function ask(where: string, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: where });
  await client.connect();
  try {
    return (await client.query(sql)).rows as unknown[];
  } finally {
    await client.end();
  }
}

it('a database without the queue is refused at the start of a consumer', async () => {
  const queue = createQueueBackend({ kind: 'postgres', connectionString });
  await expect(queue.createConsumer(HANDLERS).start()).rejects.toMatchObject({ code: 'QUEUE_SCHEMA_MISSING' });
  await queue.close();
});

it('processes that start at once migrate once', async () => {
  const queues = Array.from({ length: 6 }, () =>
    createQueueBackend({ kind: 'postgres', connectionString, migrate: true }),
  );
  await Promise.all(queues.map((queue) => queue.prepare()));
  await Promise.all(queues.map((queue) => queue.close()));
  expect(await ask(connectionString, 'select version from bullmq.migration group by 1 having count(*) > 1')).toEqual(
    [],
  );
});

it('keeps to a schema of its own', async () => {
  await migrateQueueSchema({ connectionString });
  const rows = await ask(
    connectionString,
    `select distinct table_schema from information_schema.tables
      where table_schema not in ('information_schema', 'pg_catalog')`,
  );
  expect(rows).toEqual([{ table_schema: 'bullmq' }]);
});

it('a network that swallows everything fails a send and the health, and neither hangs', async () => {
  await migrateQueueSchema({ connectionString });
  const proxy = await startFaultProxy(server.port);
  const queue = createQueueBackend({
    kind: 'postgres',
    connectionString: connectionString.replace(`:${server.port}`, `:${proxy.port}`),
  });
  try {
    const producer = queue.createProducer();
    await producer.send(newJob());
    proxy.setFault('blackhole');
    await expect(producer.send(newJob())).rejects.toMatchObject({ code: 'QUEUE_UNAVAILABLE' });
    expect(await queue.health()).toMatchObject({ status: 'down', code: 'QUEUE_UNAVAILABLE' });
  } finally {
    await proxy.close();
    await queue.close();
  }
});
