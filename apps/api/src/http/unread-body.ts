import type { NextFunction, Request, Response } from 'express';

/** What is read and thrown away behind an early answer, so that the client gets to read it; then the connection ends. */
const MOST_DISCARDED_BYTES = 80 * 1024 * 1024;
const LONGEST_DISCARD_MS = 30_000;

/**
 * Bounds what a client can still send once it has its answer (a refused key, a body above the limit). Node throws the
 * rest of such a body away, however long it is.
 */
export function boundUnreadBody(request: Request, response: Response, next: NextFunction): void {
  response.once('finish', () => {
    if (request.complete) return;
    let discarded = 0;
    const cut = (): void => void request.socket.destroy();
    const timer = setTimeout(cut, LONGEST_DISCARD_MS);
    timer.unref();
    request.on('data', (chunk: Buffer) => {
      discarded += chunk.length;
      if (discarded > MOST_DISCARDED_BYTES) cut();
    });
    request.once('close', () => clearTimeout(timer));
    request.once('end', () => clearTimeout(timer));
    request.resume();
  });
  next();
}
