import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';

export interface WatchedProcess {
  readonly child: ChildProcess;
  readonly pid: number;
  /** What the process wrote to stderr and stdout so far, the last 64 KiB of it. */
  output(): string;
  /** Sends the signal and resolves when the process is gone. */
  stop(signal: NodeJS.Signals): Promise<void>;
}

const OUTPUT_LIMIT_CHARS = 65_536;

/**
 * Spawns a server that cannot outlive this process: a shell beside it waits on a pipe whose other end only we hold,
 * so even SIGKILL of this process ends the server (SIGKILL, by its id) and removes `scratchDir`.
 */
export async function spawnWatched(
  command: string,
  args: readonly string[],
  options: SpawnOptions & { readonly scratchDir: string },
): Promise<WatchedProcess> {
  const { scratchDir, ...spawnOptions } = options;
  // Detached: Ctrl-C in a terminal reaches the test runner alone, which then stops its servers in order.
  const child = spawn(command, args, { ...spawnOptions, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  await once(child, 'spawn');
  const pid = child.pid;
  if (pid === undefined) throw new Error(`${command} did not start`);

  let output = '';
  const collect = (chunk: Buffer): void => {
    output = (output + chunk.toString('utf8')).slice(-OUTPUT_LIMIT_CHARS);
  };
  child.stdout?.on('data', collect);
  child.stderr?.on('data', collect);

  const script =
    'trap "" INT TERM HUP; read -r word; [ "$word" = done ] || { kill -s KILL -- "-$1"; for n in 1 2 3; do sleep 0.3; rm -rf -- "$2"; done; }';
  const watchdog = spawn('/bin/sh', ['-c', script, 'watchdog', String(pid), scratchDir], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  watchdog.stdin.on('error', () => undefined);
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => {
      watchdog.stdin.end('done\n');
      resolve();
    });
  });
  for (const part of [child, watchdog, child.stdout, child.stderr, watchdog.stdin]) {
    if (part !== null && 'unref' in part && typeof part.unref === 'function') part.unref();
  }

  return {
    child,
    pid,
    output: () => output,
    async stop(signal) {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.ref();
      // The whole group dies with it; other signals are for the server to pass on as it sees fit.
      if (signal === 'SIGKILL') process.kill(-pid, signal);
      else child.kill(signal);
      await exited;
    },
  };
}
