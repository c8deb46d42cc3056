import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunLock, takeRunLock } from './run-lock';
import { StartError } from './start-error';

let folder: string;
let path: string;
const held: RunLock[] = [];

async function take(): Promise<RunLock> {
  const lock = await takeRunLock(path);
  held.push(lock);
  return lock;
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdfast-lock-'));
  path = join(folder, 'lock');
});
afterEach(() => {
  for (const lock of held.splice(0)) lock.release();
  rmSync(folder, { recursive: true, force: true });
});

describe('the lock of a data folder', () => {
  it('is held by one run, and the second is told by which', async () => {
    await take();
    const second = takeRunLock(path);
    await expect(second).rejects.toBeInstanceOf(StartError);
    await expect(second).rejects.toThrow(`process ${process.pid}`);
    expect(existsSync(path)).toBe(true);
  });

  it('is free again after its release', async () => {
    (await take()).release();
    expect(existsSync(path)).toBe(false);
    await take();
  });

  it.each([
    ['a run that was killed', JSON.stringify({ pid: process.pid, port: 1, word: 'w' })],
    ['a run that was killed while writing it', '{"pid": 4'],
    ['nobody', ''],
  ])('is taken over from %s', async (_, content) => {
    writeFileSync(path, content);
    await take();
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ pid: process.pid });
  });

  it('is not believed because somebody else listens on its port', async () => {
    await take();
    const { port } = JSON.parse(readFileSync(path, 'utf8')) as { port: number };
    writeFileSync(path, JSON.stringify({ pid: process.pid, port, word: 'another' }));
    await take();
  });

  it('is taken by exactly one of many runs that start at once', async () => {
    writeFileSync(path, JSON.stringify({ pid: process.pid, port: 1, word: 'w' }));
    const answers = await Promise.allSettled(Array.from({ length: 8 }, take));
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });
});
