import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { Client } from 'pg';
import { startFaultProxy } from './fault-proxy';
import { startEmbeddedPostgres, type TestPostgres } from './postgres';
import { isRedisExpected, startRedis } from './redis';
import { createTestDatabase } from './test-database';

let server: TestPostgres;

beforeAll(async () => {
  server = await startEmbeddedPostgres();
});

afterAll(() => server.destroy());

async function query(connectionString: string, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

describe('PostgreSQL', () => {
  it.each(['fast', 'kill'] as const)('keeps its port and its data over a %s stop and a start', async (how) => {
    const before = server.port;
    await query(server.connectionString(), `create table if not exists kept (how text)`);
    await query(server.connectionString(), `insert into kept values ('${how}')`);
    await server.stop(how);
    await expect(query(server.connectionString(), 'select 1')).rejects.toThrow('ECONNREFUSED');
    await server.start();
    expect(server.port).toBe(before);
    expect(await query(server.connectionString(), `select how from kept where how = '${how}'`)).toEqual([{ how }]);
  });
});

describe('a test database', () => {
  const serverUrl = (): string => server.connectionString();

  it('starts as its template says and shares nothing with its siblings', async () => {
    let prepared = 0;
    const prepare = async (connectionString: string): Promise<void> => {
      prepared += 1;
      await query(connectionString, 'create table fruit (name text)');
    };
    const clones = await Promise.all(
      Array.from({ length: 4 }, () => createTestDatabase({ template: 'fruit', prepare, serverUrl: serverUrl() })),
    );
    expect(prepared).toBe(1);
    await query(clones[0]?.connectionString ?? '', `insert into fruit values ('fig')`);
    expect(await query(clones[1]?.connectionString ?? '', 'select * from fruit')).toEqual([]);
    await Promise.all(clones.map((clone) => clone.drop()));
    expect(await query(serverUrl(), `select datname from pg_database where datname like 'test_%'`)).toEqual([]);
  });

  it('is dropped even while somebody is connected', async () => {
    const database = await createTestDatabase({
      template: 'empty',
      prepare: () => Promise.resolve(),
      serverUrl: serverUrl(),
    });
    const forgotten = new Client({ connectionString: database.connectionString });
    forgotten.on('error', () => undefined);
    await forgotten.connect();
    await database.drop();
    await expect(query(database.connectionString, 'select 1')).rejects.toThrow('does not exist');
  });

  it('has no template left from a preparation that failed', async () => {
    const options = { template: 'failing', serverUrl: serverUrl() };
    const failing = createTestDatabase({ ...options, prepare: () => Promise.reject(new Error('no')) });
    await expect(failing).rejects.toThrow('no');
    const database = await createTestDatabase({ ...options, prepare: () => Promise.resolve() });
    await database.drop();
  });
});

(isRedisExpected() ? describe : describe.skip)('Redis (needs redis-server or valkey-server)', () => {
  it('keeps its port and its data over a stop and a start', async () => {
    const redis = await startRedis();
    if (redis === null) throw new Error('there is no Redis');
    const ask = (command: string): Promise<string> =>
      new Promise((resolve, reject) => {
        const socket = connect(redis.port, '127.0.0.1', () => socket.write(`${command}\r\n`));
        socket.once('data', (answer) => {
          resolve(answer.toString());
          socket.destroy();
        });
        socket.once('error', reject);
      });
    expect(await ask('CONFIG GET maxmemory-policy')).toContain('noeviction');
    expect(await ask('SET fruit fig')).toBe('+OK\r\n');
    await redis.stop();
    await expect(ask('PING')).rejects.toThrow('ECONNREFUSED');
    await redis.start();
    expect(await ask('GET fruit')).toBe('$3\r\nfig\r\n');
    await redis.destroy();
  });
});

describe('the fault proxy', () => {
  it('passes, refuses and passes again', async () => {
    const proxy = await startFaultProxy(server.port);
    const url = `postgresql://postgres@127.0.0.1:${proxy.port}/postgres`;
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
    proxy.setFault('refuse');
    await expect(query(url, 'select 1')).rejects.toThrow();
    proxy.setFault(5);
    expect(await query(url, 'select 2 as two')).toEqual([{ two: 2 }]);
    await proxy.close();
  });

  it('holds bytes back while it is a black hole, and lets them through afterwards', async () => {
    const proxy = await startFaultProxy(server.port);
    const client = new Client({ connectionString: `postgresql://postgres@127.0.0.1:${proxy.port}/postgres` });
    await client.connect();
    proxy.setFault('blackhole');
    let answered = false;
    const answer = client.query('select 3 as three').then((result) => {
      answered = true;
      return result.rows;
    });
    // A round trip past the proxy takes longer than one through it would.
    await query(server.connectionString(), 'select pg_sleep(0.05)');
    expect(answered).toBe(false);
    proxy.setFault('pass');
    expect(await answer).toEqual([{ three: 3 }]);
    await client.end();
    await proxy.close();
  });
});

describe('a server that was destroyed', () => {
  it('leaves nothing on the disk', async () => {
    const other = await startEmbeddedPostgres();
    const [row] = (await query(other.connectionString(), 'show data_directory')) as { data_directory: string }[];
    await other.destroy();
    expect(existsSync(row?.data_directory ?? '/')).toBe(false);
  });
});
