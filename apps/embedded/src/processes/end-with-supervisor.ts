// Loaded before the entry of each process of the platform. When the supervisor is gone, however that came about, the process
// ends like after a SIGTERM, and in any case. And it tells the supervisor on which ports it listens: only that proves that
// an answer on a port is its own and not that of a program which took the port a moment earlier.
import { Server } from 'node:net';

const GRACE_MS = 10_000;

/** What a process of the platform tells the supervisor. */
export interface ListeningMessage {
  readonly listening: number;
}

process.once('disconnect', () => {
  setTimeout(() => process.exit(1), GRACE_MS).unref();
  process.kill(process.pid, 'SIGTERM');
});
// Listening alone would keep the process alive.
process.channel?.unref();

const listen = Server.prototype.listen;
Server.prototype.listen = function (this: Server, ...args: unknown[]): Server {
  this.once('listening', () => {
    const address = this.address();
    if (address === null || typeof address === 'string' || process.connected !== true) return;
    const message: ListeningMessage = { listening: address.port };
    process.send?.(message);
  });
  return Reflect.apply(listen, this, args);
} as typeof listen;
