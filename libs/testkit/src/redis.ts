import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from './free-port';
import { until } from './until';
import { spawnWatched, type WatchedProcess } from './watched-process';

export interface TestRedis {
  readonly port: number;
  readonly url: string;
  /** `save` writes what it holds and ends; `kill` is kill -9. The folder stays. */
  stop(how?: 'save' | 'kill'): Promise<void>;
  /** Starts again on the same port and folder. */
  start(): Promise<void>;
  /** Stops it for good and removes the folder. */
  destroy(): Promise<void>;
}

function findServer(): string | null {
  for (const name of ['redis-server', 'valkey-server']) {
    try {
      execFileSync(name, ['--version'], { stdio: 'ignore' });
      return name;
    } catch {
      continue;
    }
  }
  return null;
}

function isRequired(): boolean {
  const required = process.env['HOLDFAST_REQUIRE_REDIS'] ?? process.env['CI'] ?? '';
  return !['', '0', 'false'].includes(required);
}

/**
 * Whether suites on Redis are to run: there is a server, or the run requires one and they have to fail without. Where
 * not, skip them by name.
 */
export function isRedisExpected(): boolean {
  return findServer() !== null || isRequired();
}

function answersPing(port: number): Promise<true | undefined> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
    socket.setTimeout(1_000, () => socket.destroy());
    socket.once('data', (answer) => {
      resolve(answer.toString('latin1').startsWith('+PONG') ? true : undefined);
      socket.destroy();
    });
    socket.once('error', () => resolve(undefined));
    socket.once('close', () => resolve(undefined));
  });
}

/**
 * Starts the machine's Redis or Valkey on a free loopback port, with `noeviction` and an append-only file. Null where
 * there is none, so that a suite can skip; throws instead where HOLDFAST_REQUIRE_REDIS or CI is set.
 */
export async function startRedis(flags: readonly string[] = []): Promise<TestRedis | null> {
  const command = findServer();
  if (command === null) {
    if (isRequired())
      throw new Error('neither redis-server nor valkey-server is on the PATH, and this run requires one');
    return null;
  }
  const scratchDir = await mkdtemp(join(tmpdir(), 'holdfast-redis-'));
  const port = await findFreePort();
  const args = [
    ...['--port', String(port), '--bind', '127.0.0.1', '--dir', scratchDir, '--daemonize', 'no'],
    ...['--appendonly', 'yes', '--appendfsync', 'everysec', '--save', '', '--maxmemory-policy', 'noeviction'],
    ...flags,
  ];
  let server: WatchedProcess | undefined;

  const instance: TestRedis = {
    port,
    url: `redis://127.0.0.1:${port}`,
    async start() {
      if (server !== undefined) return;
      const started = await spawnWatched(command, args, { cwd: scratchDir, scratchDir });
      server = started;
      await until(
        () => {
          if (started.child.exitCode !== null) throw new Error(`Redis ended at once:\n${started.output()}`);
          return answersPing(port);
        },
        { deadlineMs: 30_000, describe: started.output },
      );
    },
    async stop(how = 'save') {
      await server?.stop(how === 'save' ? 'SIGTERM' : 'SIGKILL');
      server = undefined;
    },
    async destroy() {
      await server?.stop('SIGKILL');
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
