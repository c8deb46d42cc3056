import type { NextFunction, Request, Response } from 'express';

/** Says that the process is about to end: what waits or streams stops at once, what works is finished. */
export class Draining {
  private readonly open = new Set<AbortController>();
  private begun = false;

  get hasBegun(): boolean {
    return this.begun;
  }

  begin(): void {
    this.begun = true;
    for (const controller of this.open) controller.abort();
  }

  /** Aborts when the client goes away, or when draining begins. */
  signalOf(response: Response): AbortSignal {
    const controller = new AbortController();
    if (this.begun || response.closed) controller.abort();
    this.open.add(controller);
    response.once('close', () => {
      this.open.delete(controller);
      controller.abort();
    });
    return controller.signal;
  }

  /** While draining, no connection is kept for another request. */
  readonly middleware = (_request: Request, response: Response, next: NextFunction): void => {
    if (this.begun) response.setHeader('Connection', 'close');
    next();
  };
}
