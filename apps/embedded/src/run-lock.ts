import { randomBytes } from 'node:crypto';
import { closeSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { fileError, StartError, systemCode } from './start-error';

/** Held by the one run that uses a data folder. */
export interface RunLock {
  release(): void;
}

const HOST = '127.0.0.1';
const ANSWER_MS = 1_000;

/**
 * Takes the lock of a data folder. A lock is alive when its owner answers on the port that it names with the word that it
 * holds: process ids come round again, and a killed run leaves its file behind. Throws StartError when a run is alive.
 */
export async function takeRunLock(path: string): Promise<RunLock> {
  const word = randomBytes(16).toString('hex');
  const server = await listen(word);
  const address = server.address();
  const port = address === null || typeof address === 'string' ? 0 : address.port;
  const content = JSON.stringify({ pid: process.pid, port, word });
  try {
    while (!create(path, content)) await removeStale(path);
  } catch (error) {
    server.close();
    throw error;
  }
  return {
    release() {
      server.close();
      rmSync(path, { force: true });
    },
  };
}

function listen(word: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.end(word);
    });
    server.unref();
    server.once('error', reject);
    server.listen(0, HOST, () => resolve(server));
  });
}

/** False when the file is there already. */
function create(path: string, content: string): boolean {
  try {
    const file = openSync(path, 'wx', 0o600);
    writeSync(file, content);
    closeSync(file);
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    throw fileError(path, error);
  }
}

async function removeStale(path: string): Promise<void> {
  const text = read(path);
  if (text === undefined) return;
  const owner = parse(text);
  if (owner !== undefined && (await answers(owner.port, owner.word))) {
    throw new StartError(
      `Holdfast runs already in this folder (process ${owner.pid}). Use that one, stop it with Ctrl-C in its terminal ` +
        `(or: kill ${owner.pid}), or start a second one with another folder: npm start -- --data DIR.`,
    );
  }
  // Renamed before it is removed: another run that starts at this moment may have put its own lock there.
  const aside = `${path}.${process.pid}`;
  try {
    renameSync(path, aside);
    if (read(aside) === text) rmSync(aside, { force: true });
    else renameSync(aside, path);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw fileError(path, error);
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw fileError(path, error);
  }
}

function parse(text: string): { pid: number; port: number; word: string } | undefined {
  try {
    const { pid, port, word } = JSON.parse(text) as Record<string, unknown>;
    return typeof pid === 'number' && typeof port === 'number' && typeof word === 'string'
      ? { pid, port, word }
      : undefined;
  } catch {
    return undefined;
  }
}

function answers(port: number, word: string): Promise<boolean> {
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect({ port, host: HOST });
    const settle = (): void => {
      socket.destroy();
      resolve(answer === word);
    };
    socket.setTimeout(ANSWER_MS, settle);
    socket.on('data', (chunk) => (answer += chunk.toString('latin1')));
    socket.on('end', settle);
    socket.on('error', settle);
  });
}
