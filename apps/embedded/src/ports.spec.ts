import { createServer, type Server } from 'node:net';
import { chooseApiPort, freePort, probePort } from './ports';
import { StartError } from './start-error';

const servers: Server[] = [];

function occupy(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    servers.push(server);
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
}

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

describe('port of the API', () => {
  it('is the one that the user named', async () => {
    const port = await freePort();
    expect(await chooseApiPort(port, 1)).toEqual({ port, inUse: [] });
  });

  it('is never another one than the user named', async () => {
    const port = await freePort();
    await occupy(port);
    const refused = chooseApiPort(port, 1);
    await expect(refused).rejects.toBeInstanceOf(StartError);
    await expect(refused).rejects.toThrow(`Port ${port} is in use`);
  });

  it('is the next free one above the usual one, and tells which are taken', async () => {
    const usual = await freePort();
    await occupy(usual);
    const { port, inUse } = await chooseApiPort(undefined, usual);
    expect(port).toBeGreaterThan(usual);
    expect(inUse[0]).toBe(usual);
    expect(await probePort(port)).toBe(port);
  });
});
