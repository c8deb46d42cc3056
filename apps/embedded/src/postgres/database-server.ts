import { type ChildProcess, execFile, spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { freePort, probePort } from '../ports';
import { fileError, StartError } from '../start-error';
import { checkDatabaseFolder, diagnoseServerLog } from './data-check';
import { stopLeftoverServer } from './leftover-server';
import type { ServerBinaries } from './server-binaries';
import type { Identity } from './server-identity';

const run = promisify(execFile);

export const OWNER = 'holdfast_owner';
export const DATABASE = 'holdfast';
const HOST = '127.0.0.1';

const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 15_000;
/** A log that has grown beyond this starts anew with the next run. */
const LOG_LIMIT_BYTES = 10_000_000;

export interface DatabaseServerOptions {
  readonly binaries: ServerBinaries;
  readonly identity: Identity;
  readonly dataFolder: string;
  readonly logFile: string;
  readonly password: string;
  /** Port of the run before; used again when it is free. */
  readonly lastPort: number | undefined;
  /** Told of each step. */
  readonly say: (line: string) => void;
}

/**
 * A PostgreSQL server of its own over one data folder, on the loopback interface only.
 *
 *   stopped --start--> running --stop--> stopped
 *                      running --(ends by itself)--> stopped, and `onEnd` is told
 */
export class DatabaseServer {
  private child: ChildProcess | undefined;
  private listenPort = 0;
  private isStopping = false;
  onEnd: ((reason: string) => void) | undefined;

  constructor(private readonly options: DatabaseServerOptions) {}

  get port(): number {
    return this.listenPort;
  }

  get pid(): number | undefined {
    return this.child?.pid;
  }

  connectionString(user: string, password: string, database = DATABASE): string {
    return `postgresql://${user}:${password}@${HOST}:${this.listenPort}/${database}`;
  }

  /** Makes the database where it is missing, ends a server that an earlier run left behind, and starts. */
  async start(): Promise<void> {
    const { dataFolder, binaries, lastPort, say } = this.options;
    if (checkDatabaseFolder(dataFolder, binaries.major) === 'absent') {
      say('making a new database');
      await this.initialise();
    } else {
      const left = await stopLeftoverServer(dataFolder);
      if (left !== undefined) say(left);
    }
    const reused = lastPort === undefined ? undefined : await probePort(lastPort);
    this.listenPort = reused ?? (await freePort());
    await this.launch();
    await this.createDatabase();
  }

  /** Starts again over the same data and port, after it has ended by itself. */
  async restart(): Promise<void> {
    await stopLeftoverServer(this.options.dataFolder);
    await this.launch();
  }

  /** Ends sessions and shuts down; resolves when the process is gone. `now` does not even wait for that to be tidy. */
  async stop(now = false): Promise<void> {
    const { child } = this;
    this.isStopping = true;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    child.kill(now ? 'SIGQUIT' : 'SIGINT');
    const timer = setTimeout(() => child.kill('SIGQUIT'), STOP_TIMEOUT_MS);
    await gone;
    clearTimeout(timer);
  }

  private async initialise(): Promise<void> {
    const { dataFolder, binaries, identity, password } = this.options;
    // Made aside and renamed: a run that is killed in the middle leaves nothing that looks like a database.
    const unfinished = `${dataFolder}.unfinished`;
    const passwordFile = `${dataFolder}.password`;
    try {
      rmSync(unfinished, { recursive: true, force: true });
      mkdirSync(unfinished, { mode: 0o700 });
      writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
      if (identity.uid !== undefined && identity.gid !== undefined) {
        chownSync(unfinished, identity.uid, identity.gid);
        chownSync(passwordFile, identity.uid, identity.gid);
      }
      const settings = ['--encoding=UTF8', '--locale=C', '--auth=scram-sha-256', `--username=${OWNER}`];
      const where = [`--pgdata=${unfinished}`, `--pwfile=${passwordFile}`];
      await run(binaries.initdb, [...settings, ...where], { ...identity, cwd: '/', env: serverEnvironment() });
      renameSync(unfinished, dataFolder);
      chmodSync(dataFolder, 0o700);
    } catch (error) {
      const output = typeof error === 'object' && error !== null && 'stderr' in error ? String(error.stderr) : '';
      if (output === '') throw fileError(dataFolder, error);
      const reason = /No space left on device/u.test(output)
        ? 'the disk is full'
        : (output.trim().split('\n').at(-1) ?? 'initdb failed');
      throw new StartError(`PostgreSQL could not make its database in ${dataFolder}: ${reason}.`, { cause: error });
    } finally {
      rmSync(passwordFile, { force: true });
    }
  }

  private async launch(): Promise<void> {
    const { binaries, identity, dataFolder, logFile } = this.options;
    if ((statSync(logFile, { throwIfNoEntry: false })?.size ?? 0) > LOG_LIMIT_BYTES) truncateSync(logFile);
    const offset = existsSync(logFile) ? statSync(logFile).size : 0;
    const log = openSync(logFile, 'a', 0o600);
    const settings = { listen_addresses: HOST, unix_socket_directories: '', timezone: 'UTC', log_timezone: 'UTC' };
    const args = [
      ...['-D', dataFolder, '-p', String(this.listenPort)],
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ];
    this.isStopping = false;
    // Detached: Ctrl-C in the terminal reaches the supervisor alone, which then stops everything in order.
    const child = spawn(binaries.postgres, args, {
      ...identity,
      cwd: '/',
      detached: true,
      stdio: ['ignore', log, log],
      env: serverEnvironment(),
    });
    closeSync(log);
    this.child = child;
    let failure: Error | undefined;
    child.once('error', (error) => (failure = error));
    await this.untilReady(child, () => failure, offset);
    child.once('exit', (code, signal) => {
      if (!this.isStopping) this.onEnd?.(signal ?? `exit code ${code ?? 'unknown'}`);
    });
  }

  private async untilReady(child: ChildProcess, failure: () => Error | undefined, offset: number): Promise<void> {
    const { dataFolder, logFile, password } = this.options;
    const deadline = Date.now() + START_TIMEOUT_MS;
    for (;;) {
      const error = failure();
      if (error !== undefined) throw new StartError(`PostgreSQL cannot be run: ${error.message}.`, { cause: error });
      if (child.exitCode !== null || child.signalCode !== null) {
        const log = readFileSync(logFile, 'utf8').slice(offset);
        throw new StartError(diagnoseServerLog(log, dataFolder, logFile));
      }
      const answer = await tryConnection(this.connectionString(OWNER, password, 'postgres'));
      if (answer === 'ready') return;
      if (answer === 'wrong_password') {
        await this.stop();
        throw new StartError(
          `The database in ${dataFolder} was made with another password than the one kept beside it. ` +
            `Restore its credentials.json, or move the database away (mv ${dataFolder} ${dataFolder}.old) and start again.`,
        );
      }
      if (Date.now() > deadline) {
        await this.stop(true);
        throw new StartError(`PostgreSQL did not get ready within ${START_TIMEOUT_MS / 1_000} s. Its log: ${logFile}`);
      }
      await delay(40);
    }
  }

  private async createDatabase(): Promise<void> {
    const client = new Client({ connectionString: this.connectionString(OWNER, this.options.password, 'postgres') });
    await client.connect();
    try {
      const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [DATABASE]);
      if (rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE}`);
    } finally {
      await client.end();
    }
  }
}

/** What the server needs of our environment: no PG* variable of the user's may change where it listens or stores. */
function serverEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('PG'));
  return { ...Object.fromEntries(kept), LC_ALL: 'C' };
}

async function tryConnection(connectionString: string): Promise<'ready' | 'not_yet' | 'wrong_password'> {
  const client = new Client({ connectionString, connectionTimeoutMillis: 3_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return 'ready';
  } catch (error) {
    const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
    return code === '28P01' ? 'wrong_password' : 'not_yet';
  } finally {
    await client.end().catch(() => undefined);
  }
}
