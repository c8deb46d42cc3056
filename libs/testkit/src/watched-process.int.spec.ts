import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { transformFile } from '@swc/core';
import { until } from './until';
import { spawnWatched } from './watched-process';

let folder: string;
let scratchDir: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdfast-watched-'));
  scratchDir = join(folder, 'scratch');
  await mkdir(scratchDir);
});

afterEach(() => rm(folder, { recursive: true, force: true }));

function isGone(pid: number): true | undefined {
  try {
    process.kill(pid, 0);
    return undefined;
  } catch {
    return true;
  }
}

/** Starts a process that starts a server and then waits; resolves with both. */
async function startLauncher(): Promise<{ launcher: ReturnType<typeof spawn>; serverPid: number }> {
  const { code } = await transformFile(join(__dirname, 'watched-process.ts'), {
    swcrc: false,
    jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
    module: { type: 'commonjs' },
  });
  const library = join(folder, 'watched-process.cjs');
  await writeFile(library, code);
  const script = `require(${JSON.stringify(library)})
    .spawnWatched('sleep', ['600'], { scratchDir: ${JSON.stringify(scratchDir)} })
    .then((server) => { console.log(server.pid); setInterval(() => {}, 1000); });`;
  const launcher = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const line = await new Promise<string>((resolve) => launcher.stdout.once('data', (chunk) => resolve(String(chunk))));
  return { launcher, serverPid: Number(line) };
}

describe('a watched server', () => {
  it.each(['SIGKILL', 'SIGINT', 'SIGTERM'] as const)(
    'is gone, with its folder, after its launcher got %s',
    async (signal) => {
      const { launcher, serverPid } = await startLauncher();
      expect(isGone(serverPid)).toBeUndefined();
      launcher.kill(signal);
      await until(() => isGone(serverPid), { describe: () => `the end of ${serverPid}` });
      await until(() => (existsSync(scratchDir) ? undefined : true), { describe: () => `the end of ${scratchDir}` });
    },
  );

  it('is stopped by its signal and leaves its folder to the caller', async () => {
    const server = await spawnWatched('sleep', ['600'], { scratchDir });
    await server.stop('SIGTERM');
    expect(server.child.signalCode).toBe('SIGTERM');
    expect(isGone(server.pid)).toBe(true);
    expect(existsSync(scratchDir)).toBe(true);
    await server.stop('SIGTERM');
  });

  it('says what it wrote', async () => {
    const server = await spawnWatched('sh', ['-c', 'echo ready; echo trouble >&2; sleep 600'], { scratchDir });
    await until(() => (server.output().includes('trouble') ? true : undefined), { describe: () => server.output() });
    expect(server.output()).toContain('ready');
    await server.stop('SIGKILL');
  });

  it('that does not exist is an error', async () => {
    await expect(spawnWatched(`${scratchDir}/no-such-server`, [], { scratchDir })).rejects.toThrow('ENOENT');
  });
});
