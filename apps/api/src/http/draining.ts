import type { NextFunction, Request, Response } from 'express';

/** Says that the process is about to end: what waits or streams stops at once, what works is finished. */
export class Draining {
  private readonly controller = new AbortController();

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  begin(): void {
    this.controller.abort();
  }

  /** Aborts when the client goes away, or when draining begins. */
  signalOf(response: Response): AbortSignal {
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    return AbortSignal.any([gone.signal, this.controller.signal]);
  }

  /** While draining, no connection is kept for another request. */
  readonly middleware = (_request: Request, response: Response, next: NextFunction): void => {
    if (this.signal.aborted) response.setHeader('Connection', 'close');
    next();
  };
}
