import { createServer } from 'node:net';
import { StartError, systemCode } from './start-error';

const HOST = '127.0.0.1';
/** Ports above the usual one that are tried in turn. */
const TRIES = 20;

/** The port when nobody listens on it (0: any free one), else undefined. Throws StartError when it may not be used. */
export function probePort(port: number): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error) => {
      if (systemCode(error) === 'EADDRINUSE') resolve(undefined);
      else if (systemCode(error) === 'EACCES') {
        reject(new StartError(`Port ${port} may not be used by this user. Name one above 1023 with --port.`));
      } else reject(error);
    });
    server.listen(port, HOST, () => {
      const address = server.address();
      const found = address === null || typeof address === 'string' ? undefined : address.port;
      server.close(() => resolve(found));
    });
  });
}

/** A port of the loopback interface that nobody listens on at this moment. */
export async function freePort(): Promise<number> {
  const port = await probePort(0);
  if (port === undefined) throw new StartError('The system has no free port.');
  return port;
}

export interface PortChoice {
  readonly port: number;
  /** Ports that were in use and passed over. */
  readonly inUse: readonly number[];
}

/** The wanted port, or the next free one above `usual` where the user named none. Throws StartError. */
export async function chooseApiPort(wanted: number | undefined, usual: number): Promise<PortChoice> {
  if (wanted !== undefined) {
    if ((await probePort(wanted)) !== undefined) return { port: wanted, inUse: [] };
    throw new StartError(`Port ${wanted} is in use by another program. Stop it, or name another port with --port.`);
  }
  const inUse: number[] = [];
  for (let port = usual; port < usual + TRIES; port += 1) {
    if ((await probePort(port)) !== undefined) return { port, inUse };
    inUse.push(port);
  }
  throw new StartError(`The ports ${usual} to ${usual + TRIES - 1} are all in use. Name a free one with --port.`);
}
