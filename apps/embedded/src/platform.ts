import { createHash } from 'node:crypto';
import { execFile } from 'node:child_process';
import { existsSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { StartOptions } from './command-line';
import { type Credentials, openCredentials } from './credentials';
import { type DataFolder, openDataFolder, readJsonObject, writeJsonObject } from './data-folder';
import { openEncryptionKeys } from './encryption-keys';
import { chooseApiPort, freePort } from './ports';
import { DatabaseServer, OWNER } from './postgres/database-server';
import { findServerBinaries, type ServerBinaries } from './postgres/server-binaries';
import { closedFolder, type Identity, serverIdentity } from './postgres/server-identity';
import { SupervisedProcess } from './processes/supervised-process';
import { type RunLock, takeRunLock } from './run-lock';
import { StartError } from './start-error';
import type { Terminal } from './terminal';
import { entryOf, WORKSPACE } from './workspace';

const USUAL_API_PORT = 3_001;
const RUNTIME_LOGIN = 'holdfast_runtime';
const READY_TIMEOUT_MS = 60_000;
/** A process that ended this often before it was ever ready will not get ready. */
const CRASHES_TOLERATED = 3;
const LOG_LIMIT_BYTES = 10_000_000;
const DATABASE_RESTART_MS = 1_000;
/** Where root keeps what the user `postgres` may not reach below a closed home folder. */
const ROOT_FOLDER = '/var/lib/holdfast';

/** Settings of the user's shell that belong to another deployment and must not leak into this one. */
const OWN_SETTINGS =
  /^(DATABASE_URL|QUEUE_.*|REDIS_.*|RUNTIME_DATABASE_.*|PORT|METRICS_PORT|HOST|KEY_PEPPER|ENCRYPTION_KEYS.*|NODE_ENV)$/u;

/**
 * PostgreSQL, API and worker on this machine, over one data folder.
 *
 *   new --start--> running --stop--> stopped
 *
 * Starts in this order: lock, PostgreSQL, migrations, API and worker; stops in the reverse one. `stop` may be called at any
 * moment, also while starting.
 */
export class Platform {
  private lock: RunLock | undefined;
  private database: DatabaseServer | undefined;
  private readonly processes: SupervisedProcess[] = [];
  private stopping: Promise<void> | undefined;
  private isForced = false;
  private runtime: Readonly<Record<string, string>> = {};
  private opened: { folder: DataFolder; credentials: Credentials } | undefined;
  private apiPort = 0;

  constructor(
    private readonly options: StartOptions,
    private readonly terminal: Terminal,
  ) {}

  get apiUrl(): string {
    return `http://127.0.0.1:${this.apiPort}`;
  }

  get folder(): DataFolder {
    if (this.opened === undefined) throw new Error('the platform has no folder before it starts');
    return this.opened.folder;
  }

  get credentials(): Credentials {
    if (this.opened === undefined) throw new Error('the platform has no credentials before it starts');
    return this.opened.credentials;
  }

  /** Environment of a process of the platform that runs as the runtime login. */
  get runtimeEnvironment(): Readonly<Record<string, string>> {
    return this.runtime;
  }

  /** Starts everything and resolves when API and worker are ready. Throws StartError. */
  async start(): Promise<void> {
    const identity = serverIdentity();
    const folder = openDataFolder(this.placeOf(identity));
    this.lock = await takeRunLock(folder.lock);
    this.opened = { folder, credentials: openCredentials(folder) };
    // Asked before anything is started, too: a port that is in use is told at once.
    if (this.options.port !== undefined) await chooseApiPort(this.options.port, USUAL_API_PORT);
    await this.startDatabase(identity);
    this.checkGoesOn();
    await this.migrate();
    this.checkGoesOn();
    await this.startProcesses();
  }

  /** Stops everything in order; a second call with `now` kills what is still there. */
  async stop(now = false): Promise<void> {
    if (now && !this.isForced) {
      this.isForced = true;
      await Promise.all([...this.processes.map((process) => process.stop(true)), this.database?.stop(true)]);
    }
    this.stopping ??= this.stopInOrder();
    await this.stopping;
  }

  private async stopInOrder(): Promise<void> {
    // The API first: nothing new comes in; then the worker ends what it has begun; the database last.
    for (const process of this.processes) await process.stop(this.isForced);
    await this.database?.stop(this.isForced);
    this.lock?.release();
  }

  private checkGoesOn(): void {
    if (this.stopping !== undefined) throw new StartError('Stopped while starting.');
  }

  private placeOf(identity: Identity): string {
    const { dataFolder } = this.options;
    const usual = dataFolder ?? join(WORKSPACE, '.holdfast');
    const closed = closedFolder(usual, identity);
    if (closed === undefined) return usual;
    const why = `PostgreSQL runs as the user postgres (it refuses root), who may not enter ${closed}`;
    if (dataFolder !== undefined) {
      throw new StartError(`${why}. Name a folder elsewhere with --data, or run as an ordinary user.`);
    }
    const name = createHash('sha256').update(WORKSPACE).digest('hex').slice(0, 12);
    const elsewhere = join(ROOT_FOLDER, name);
    this.terminal.warn('postgres', `${why}: database, keys and logs go to ${elsewhere}`);
    return elsewhere;
  }

  private async startDatabase(identity: Identity): Promise<void> {
    const { folder, credentials } = this.opened ?? {};
    if (folder === undefined || credentials === undefined) return;
    const binaries: ServerBinaries = findServerBinaries(identity, ROOT_FOLDER);
    const lastPort = readJsonObject(folder.state)?.['postgres_port'];
    const startedAt = Date.now();
    const database = new DatabaseServer({
      binaries,
      identity,
      dataFolder: folder.postgres,
      logFile: folder.logOf('postgres'),
      password: credentials.ownerPassword,
      lastPort: typeof lastPort === 'number' ? lastPort : undefined,
      say: (line) => this.terminal.step('postgres', line),
    });
    this.database = database;
    await database.start();
    writeJsonObject(folder.state, { postgres_port: database.port });
    this.terminal.step(
      'postgres',
      `PostgreSQL ${binaries.major} is ready on 127.0.0.1:${database.port} (${seconds(startedAt)}), data in ${folder.postgres}`,
    );
    database.onEnd = (how) => void this.restartDatabase(database, how);
    this.runtime = {
      ...inherited(),
      NODE_ENV: 'development',
      DATABASE_URL: database.connectionString(RUNTIME_LOGIN, credentials.runtimePassword),
      QUEUE_BACKEND: 'postgres',
      KEY_PEPPER: credentials.keyPepper,
      ENCRYPTION_KEYS_FILE: openEncryptionKeys(folder),
      HOST: '127.0.0.1',
      SHUTDOWN_DEADLINE_MS: '8000',
    };
  }

  private async restartDatabase(database: DatabaseServer, how: string): Promise<void> {
    while (this.stopping === undefined) {
      this.terminal.warn('postgres', `ended by itself (${how}): starting it again`);
      await delay(DATABASE_RESTART_MS);
      if (this.stopping !== undefined) return;
      try {
        await database.restart();
        this.terminal.step('postgres', 'is ready again');
        return;
      } catch (error) {
        how = error instanceof Error ? error.message : String(error);
      }
    }
  }

  private async migrate(): Promise<void> {
    const { database } = this;
    const { credentials, folder } = this.opened ?? {};
    if (database === undefined || credentials === undefined || folder === undefined) return;
    await runOnce(entryOf('migrate'), [], {
      ...this.runtime,
      DATABASE_URL: database.connectionString(OWNER, credentials.ownerPassword),
      RUNTIME_DATABASE_LOGIN: RUNTIME_LOGIN,
      RUNTIME_DATABASE_PASSWORD: credentials.runtimePassword,
    }).then(
      (output) => {
        for (const line of output.split('\n')) if (line.trim() !== '') this.terminal.step('migrate', line.trim());
      },
      (error: unknown) => {
        throw new StartError(
          `The database in ${folder.postgres} could not be migrated: ${error instanceof Error ? error.message : String(error)}`,
          { cause: error },
        );
      },
    );
  }

  private async startProcesses(): Promise<void> {
    await Promise.all([
      this.startProcess('api', async () => (this.apiPort = await this.chooseApiPort())),
      this.startProcess('worker', freePort),
    ]);
  }

  private async chooseApiPort(): Promise<number> {
    const { port, inUse } = await chooseApiPort(this.options.port, USUAL_API_PORT);
    if (inUse.length > 0) {
      const ports = inUse.length === 1 ? `port ${inUse.join()} is` : `ports ${inUse.join(', ')} are`;
      this.terminal.warn('api', `${ports} in use by another program: taking ${port} (--port names another)`);
    }
    return port;
  }

  /** Starts a process on a port and waits until it is ready; on another port when that one was taken in between. */
  private async startProcess(app: 'api' | 'worker', choosePort: () => Promise<number>): Promise<void> {
    for (;;) {
      const [port, metricsPort] = [await choosePort(), await freePort()];
      const supervised = this.supervise(app, { PORT: String(port), METRICS_PORT: String(metricsPort) });
      supervised.start();
      if ((await this.untilReady(supervised, port)) === 'ready') return;
      await supervised.stop();
      this.processes.splice(this.processes.indexOf(supervised), 1);
      this.terminal.warn(app, `port ${port} was taken by another program meanwhile`);
    }
  }

  private supervise(app: 'api' | 'worker', ports: Readonly<Record<string, string>>): SupervisedProcess {
    const logFile = this.folder.logOf(app);
    if ((statSync(logFile, { throwIfNoEntry: false })?.size ?? 0) > LOG_LIMIT_BYTES) truncateSync(logFile);
    const entry = entryOf(app);
    if (!existsSync(entry)) throw new StartError(`${entry} is missing: the build is incomplete. Run "npm run build".`);
    const supervised = new SupervisedProcess({
      name: app,
      entry,
      environment: { ...this.runtime, ...ports },
      logFile,
      onLine: (line) => this.terminal.log(app, line),
      onCrash: (how, restartInMs) =>
        this.terminal.warn(app, `ended by itself (${how}): starting it again in ${restartInMs / 1_000} s`),
    });
    this.processes.push(supervised);
    return supervised;
  }

  private async untilReady(supervised: SupervisedProcess, port: number): Promise<'ready' | 'port_taken'> {
    const startedAt = Date.now();
    const url = `http://127.0.0.1:${port}/readyz`;
    // Another program may answer on this port: only the process itself knows that it listens there.
    while (!supervised.listensOn(port) || !(await isReady(url))) {
      this.checkGoesOn();
      if (supervised.crashes > 0 && /EADDRINUSE/u.test(supervised.lastOutput())) return 'port_taken';
      if (supervised.crashes >= CRASHES_TOLERATED || Date.now() > startedAt + READY_TIMEOUT_MS) {
        const why = supervised.crashes > 0 ? 'keeps ending' : 'does not get ready';
        throw new StartError(
          `The ${supervised.name} ${why}. The last of its log (${this.folder.logOf(supervised.name)}):\n${supervised.lastOutput()}`,
        );
      }
      await delay(100);
    }
    const where = supervised.name === 'api' ? ` on ${this.apiUrl}` : '';
    this.terminal.step(supervised.name, `ready${where} (${seconds(startedAt)})`);
    return 'ready';
  }
}

function seconds(since: number): string {
  return `${((Date.now() - since) / 1_000).toFixed(1)} s`;
}

async function isReady(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}

/** The user's environment without what belongs to another deployment. */
function inherited(): Record<string, string> {
  const entries = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !OWN_SETTINGS.test(entry[0]),
  );
  return Object.fromEntries(entries);
}

/** Runs a one-shot process of the platform and resolves to its stdout; rejects with what it wrote to stderr. */
export function runOnce(
  entry: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<string> {
  if (!existsSync(entry)) {
    return Promise.reject(new StartError(`${entry} is missing: the build is incomplete. Run "npm run build".`));
  }
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [entry, ...args], { env: environment }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new StartError(stderr.trim() || error.message, { cause: error }));
    });
  });
}
