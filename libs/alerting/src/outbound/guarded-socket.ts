import { connect, isIP, type Socket } from 'node:net';
import { type AddressGuard, AddressNotAllowedError } from './address-guard';

/** A plain connection to an address that was checked. Rejects with Node's codes, or that the address is not allowed. */
export function connectGuarded(host: string, port: number, guard: AddressGuard, signal: AbortSignal): Promise<Socket> {
  // A literal address never reaches the look-up.
  if (isIP(host) !== 0 && !guard.allows(host)) {
    return Promise.reject(new AddressNotAllowedError('This address may not be reached.'));
  }
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, lookup: guard.lookup });
    const stop = () => socket.destroy(new Error('stopped'));
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    socket.once('connect', () => resolve(socket));
    // It stays for good: between here and whoever reads from the socket, an error without listener would end the process.
    socket.on('error', reject);
    socket.once('close', () => signal.removeEventListener('abort', stop));
  });
}
