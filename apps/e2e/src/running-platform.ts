import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort, spawnWatched, startEmbeddedPostgres, until, type WatchedProcess } from '@holdfast/testkit';
import { entryOf, runToEnd } from './build';

/** The platform as a deployment runs it: database, migrations, API and worker are processes of their own. */
export interface RunningPlatform {
  readonly url: string;
  /** Of the one tenant, with all scopes. */
  readonly key: string;
  /** What API and worker have written so far. */
  output(): string;
  /** Ends a process without a warning and starts it again; the API answers at the same address. */
  crash(app: 'api' | 'worker'): Promise<void>;
  /** Ends API and worker as a deployment does, then the database. Answers their exit codes. */
  close(): Promise<readonly (number | null)[]>;
}

type App = 'api' | 'worker';

const READY: Readonly<Record<App, RegExp>> = {
  api: /"url":"(http:[^"]+)".*"msg":"The API is listening"/,
  worker: /"msg":"(The worker takes jobs)"/,
};

const RUNTIME_LOGIN = 'holdfast_runtime';
const RUNTIME_PASSWORD = 'password-of-the-black-box-tests';
const START_DEADLINE_MS = 120_000;

/**
 * Starts the build over an empty database, with the queue in it, and with these variables more. Throws where the build is
 * missing.
 */
export async function startRunningPlatform(
  environment: Readonly<Record<string, string>> = {},
): Promise<RunningPlatform> {
  const postgres = await startEmbeddedPostgres();
  const processes = new Map<App, WatchedProcess>();
  const close = async (): Promise<readonly (number | null)[]> => {
    for (const running of processes.values()) await running.stop('SIGTERM');
    await postgres.destroy();
    return [...processes.values()].map(({ child }) => child.exitCode);
  };
  try {
    const owner = { NODE_ENV: 'test', DATABASE_URL: postgres.connectionString() };
    await succeed(entryOf('migrate'), [], {
      ...owner,
      RUNTIME_DATABASE_LOGIN: RUNTIME_LOGIN,
      RUNTIME_DATABASE_PASSWORD: RUNTIME_PASSWORD,
    });
    const runtime = {
      NODE_ENV: 'test',
      DATABASE_URL: owner.DATABASE_URL.replace('//postgres@', `//${RUNTIME_LOGIN}:${RUNTIME_PASSWORD}@`),
      KEY_PEPPER: 'pepper-of-the-black-box-tests-long-enough',
      ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 7).toString('base64')}`,
      ...{ METRICS_PORT: '0', TOKENIZER_THREADS: '1' },
    };
    const made = await succeed(entryOf('api', 'create-key.js'), ['--tenant', 'acme'], runtime);
    const { key } = JSON.parse(made.trim().split('\n').at(-1) ?? '') as { readonly key: string };
    const ports: Readonly<Record<App, string>> = { api: String(await findFreePort()), worker: '0' };
    const start = async (app: App): Promise<string> => {
      const ready = READY[app];
      const scratchDir = await mkdtemp(join(tmpdir(), `holdfast-${app}-`));
      const running = await spawnWatched(process.execPath, ['--enable-source-maps', entryOf(app)], {
        scratchDir,
        env: { ...runtime, PORT: ports[app], ...environment },
      });
      processes.set(app, running);
      return until(
        () => {
          if (running.child.exitCode !== null) throw new Error(`the ${app} ended at once:\n${running.output()}`);
          const match = ready.exec(running.output());
          return match === null ? undefined : (match[1] ?? '');
        },
        { deadlineMs: START_DEADLINE_MS, describe: () => `the ${app} is ready:\n${running.output()}` },
      );
    };
    const url = await start('api');
    await start('worker');
    const crash = async (app: App): Promise<void> => {
      await processes.get(app)?.stop('SIGKILL');
      await start(app);
    };
    const output = (): string => [...processes.values()].map((running) => running.output()).join('\n');
    return { url, key, output, crash, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function succeed(entry: string, args: readonly string[], env: Readonly<Record<string, string>>): Promise<string> {
  const { exitCode, output } = await runToEnd(entry, args, env);
  if (exitCode !== 0) throw new Error(`${entry} ended with ${exitCode}:\n${output}`);
  return output;
}
