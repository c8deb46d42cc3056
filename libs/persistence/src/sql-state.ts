function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

const SQL_STATE = /^[0-9A-Z]{5}$/;
/** Codes of the Prisma client for a connection that could not be had, broke, or was not free in time. */
const CONNECTION_CODES = new Set(['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2034', 'P2037']);
const SOCKET_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EHOSTUNREACH']);
const BROKEN_CONNECTION =
  /Connection terminated|Query read timeout|timeout exceeded when trying to connect|is not queryable|Client was closed/;
const NO_TRANSACTION = /Unable to start a transaction in the given time/;

/** The errors inside of an error: Prisma wraps the adapter's, which wraps the driver's. */
function* layersOf(error: unknown): Generator<unknown> {
  const seen = new Set<unknown>();
  const open: unknown[] = [error];
  while (open.length > 0) {
    const layer = open.pop();
    if (typeof layer !== 'object' || layer === null || seen.has(layer)) continue;
    seen.add(layer);
    yield layer;
    open.push(fieldOf(layer, 'cause'), fieldOf(layer, 'meta'), fieldOf(layer, 'driverAdapterError'));
  }
}

/** The SQLSTATE that the database answered with, however deep it is wrapped; undefined when it did not answer. */
export function sqlStateOf(error: unknown): string | undefined {
  for (const layer of layersOf(error)) {
    for (const name of ['originalCode', 'code']) {
      const code = fieldOf(layer, name);
      // Prisma's own codes (P2002) have the same shape, but for the classes P0 and PX of PostgreSQL.
      if (typeof code === 'string' && SQL_STATE.test(code) && !/^P[1-9]/.test(code)) return code;
    }
  }
  return undefined;
}

/** Whether the same transaction may go through when it is tried again: conflicts, restarts, broken connections. */
export function isTransient(error: unknown): boolean {
  const state = sqlStateOf(error);
  if (state !== undefined && !SOCKET_CODES.has(state)) {
    return ['40001', '40P01', '57P01', '57P02', '57P03', '53300', '55P03'].includes(state) || state.startsWith('08');
  }
  for (const layer of layersOf(error)) {
    const code = fieldOf(layer, 'code');
    const kind = fieldOf(layer, 'kind');
    const message = fieldOf(layer, 'message');
    if (typeof code === 'string' && (CONNECTION_CODES.has(code) || SOCKET_CODES.has(code))) return true;
    if (kind === 'TransactionWriteConflict' || kind === 'ConnectionClosed' || kind === 'DatabaseNotReachable')
      return true;
    if (kind === 'SocketTimeout' || kind === 'TooManyConnections') return true;
    if (typeof message === 'string' && (BROKEN_CONNECTION.test(message) || NO_TRANSACTION.test(message))) return true;
  }
  return false;
}
