import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/**
 * `pass` forwards; `refuse` closes what comes and what is open; `blackhole` keeps connections open and moves nothing
 * (a half-open network); a number delays each chunk by that many milliseconds.
 */
export type Fault = 'pass' | 'refuse' | 'blackhole' | number;

export interface FaultProxy {
  readonly port: number;
  /** Takes effect on open connections too; leaving `blackhole` lets the held bytes through. */
  setFault(fault: Fault): void;
  /** Resets every open connection and goes on. */
  dropConnections(): void;
  close(): Promise<void>;
}

/** A TCP proxy on a free loopback port in front of a server of this machine, whose network can be broken at will. */
export async function startFaultProxy(targetPort: number): Promise<FaultProxy> {
  let fault: Fault = 'pass';
  const open = new Set<Socket>();

  const forward = (from: Socket, to: Socket): void => {
    from.on('data', (chunk) => {
      if (typeof fault === 'number') setTimeout(() => to.write(chunk), fault);
      else to.write(chunk);
    });
    from.on('end', () => {
      if (fault !== 'blackhole') to.end();
    });
    from.on('error', () => to.destroy());
    from.on('close', () => {
      open.delete(from);
      to.destroy();
    });
  };

  const server = createServer((client) => {
    if (fault === 'refuse') {
      client.resetAndDestroy();
      return;
    }
    const upstream = connect(targetPort, '127.0.0.1');
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket.setNoDelay(true);
      if (fault === 'blackhole') socket.pause();
    }
    forward(client, upstream);
    forward(upstream, client);
    if (fault === 'blackhole') for (const socket of [client, upstream]) socket.pause();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');

  const dropConnections = (): void => {
    for (const socket of open) socket.resetAndDestroy();
  };
  return {
    port: address.port,
    setFault(next) {
      fault = next;
      if (next === 'refuse') dropConnections();
      for (const socket of open) {
        if (next === 'blackhole') socket.pause();
        else socket.resume();
      }
    },
    dropConnections,
    async close() {
      dropConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
