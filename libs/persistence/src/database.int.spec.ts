import { type FaultProxy, startEmbeddedPostgres, startFaultProxy, type TestPostgres } from '@holdfast/testkit';
import { seedPass, type SeededPass } from '../test/rows';
import { createDatabase, type Database, type DatabaseOptions } from './database';
import { applyMigrations } from './migrations/migrate';
import { sqlStateOf } from './sql-state';
import { newId } from './uuid';

let server: TestPostgres;
let proxy: FaultProxy;
let pass: SeededPass;
const open: Database[] = [];

/** A database behind the proxy, closed after the test. */
function connect(options: Partial<DatabaseOptions> = {}): Database {
  const connectionString = `postgresql://postgres@127.0.0.1:${proxy.port}/postgres`;
  const database = createDatabase({ connectionString, ...options });
  open.push(database);
  return database;
}

beforeAll(async () => {
  server = await startEmbeddedPostgres();
  await applyMigrations(server.connectionString());
  proxy = await startFaultProxy(server.port);
  const tenantId = newId();
  pass = await connect().withTenant(tenantId, (tx) => seedPass(tx, tenantId));
});

afterEach(async () => {
  proxy.setFault('pass');
  await Promise.all(open.splice(0).map((database) => database.close()));
});

afterAll(async () => {
  await proxy.close();
  await server.destroy();
});

const UNAVAILABLE = { code: 'STORE_UNAVAILABLE', retryable: true };

describe('a transaction', () => {
  it('is undone as a whole when its function throws, and the error comes through', async () => {
    const database = connect();
    const work = database.withTenant(pass.tenantId, async (tx) => {
      await tx.auditLog.create({ data: { tenantId: pass.tenantId, actor: 'key', action: 'undone', subject: 'x' } });
      throw new RangeError('changed my mind');
    });
    await expect(work).rejects.toThrow(new RangeError('changed my mind'));
    const left = await database.withTenant(pass.tenantId, (tx) => tx.auditLog.count({ where: { action: 'undone' } }));
    expect(left).toBe(0);
  });

  it('is run again after a conflict when that is safe, and not otherwise', async () => {
    const database = connect();
    const conflicting = async (idempotent: boolean): Promise<number> => {
      let runs = 0;
      await database
        .withTenant(
          pass.tenantId,
          async (tx) => {
            runs += 1;
            if (runs < 3) await tx.$executeRaw`do $$ begin raise exception 'conflict' using errcode = '40001'; end $$`;
          },
          { idempotent },
        )
        .catch((error: unknown) => {
          expect(error).toMatchObject(UNAVAILABLE);
        });
      return runs;
    };
    expect(await conflicting(true)).toBe(3);
    expect(await conflicting(false)).toBe(1);
  });

  it('is tried three times at most', async () => {
    let runs = 0;
    const work = connect().withTenant(
      pass.tenantId,
      async (tx) => {
        runs += 1;
        await tx.$executeRaw`do $$ begin raise exception 'deadlock' using errcode = '40P01'; end $$`;
      },
      { idempotent: true },
    );
    await expect(work).rejects.toMatchObject(UNAVAILABLE);
    expect(runs).toBe(3);
  });

  it('is never run again after an error that stays', async () => {
    let runs = 0;
    const work = connect().withTenant(
      pass.tenantId,
      async (tx) => {
        runs += 1;
        await tx.session.update({
          where: { tenantId_id: { tenantId: pass.tenantId, id: pass.sessionId } },
          data: { version: -1 },
        });
      },
      { idempotent: true },
    );
    await expect(work.catch(sqlStateOf)).resolves.toBe('HF002');
    expect(runs).toBe(1);
  });

  it('ends a statement and a wait for a lock in time', async () => {
    const database = connect({ statementTimeoutMs: 200, lockTimeoutMs: 100 });
    const slow = database.withTenant(pass.tenantId, (tx) => tx.$queryRaw`select pg_sleep(30)::text`);
    await expect(slow.catch(sqlStateOf)).resolves.toBe('57014');

    const lock = (work: () => Promise<unknown>): Promise<unknown> =>
      database.withTenant(pass.tenantId, async (tx) => {
        await tx.$queryRaw`select id from sessions for no key update`;
        await work();
      });
    await lock(() => expect(lock(() => Promise.resolve())).rejects.toMatchObject(UNAVAILABLE));
  });
});

describe('the database', () => {
  it('is used again after PostgreSQL was killed and started', async () => {
    const broken: Error[] = [];
    const database = connect({ onConnectionError: (error) => broken.push(error) });
    await database.ping();
    await server.stop('kill');
    await expect(database.ping()).rejects.toMatchObject(UNAVAILABLE);
    await server.start();
    await database.ping();
    expect(await database.withTenant(pass.tenantId, (tx) => tx.compaction.count())).toBe(1);
  });

  it('fails a transaction that PostgreSQL dies under, and repeats one that may be', async () => {
    const database = connect();
    let runs = 0;
    const count = await database.withTenant(
      pass.tenantId,
      async (tx) => {
        runs += 1;
        await tx.auditLog.count();
        if (runs === 1) {
          await server.stop('kill');
          await server.start();
        }
        return tx.compaction.count();
      },
      { idempotent: true },
    );
    expect([runs, count]).toEqual([2, 1]);
  });

  it('gives up on a network that has gone silent, and takes new connections when it is back', async () => {
    const database = connect({ statementTimeoutMs: 100, maxConnections: 1 });
    await database.ping();
    proxy.setFault('blackhole');
    await expect(database.withTenant(pass.tenantId, (tx) => tx.session.count())).rejects.toMatchObject(UNAVAILABLE);
    proxy.setFault('pass');
    await database.ping();
  });

  it('says so when nothing listens', async () => {
    proxy.setFault('refuse');
    await expect(connect().ping()).rejects.toMatchObject(UNAVAILABLE);
  });

  it('lets what is under way finish before it closes', async () => {
    const database = connect();
    const slow = database.asSystem(async (tx) => {
      await tx.$queryRaw`select pg_sleep(0.3)::text`;
      return 'finished';
    });
    await database.ping();
    await database.close();
    await expect(slow).resolves.toBe('finished');
  });
});
