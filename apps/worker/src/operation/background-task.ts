/** Work that a worker does beside its jobs, from its start until it drains. */
export interface BackgroundTask {
  start(): void;
  /** Resolves when nothing of it runs any more. */
  stop(): Promise<void>;
}

/** Injection token of every {@link BackgroundTask} of a worker. */
export const BACKGROUND = Symbol('background tasks of the worker');
