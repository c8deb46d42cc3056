export { type RunningWorker, startWorker } from './start-worker';
export type { WorkerOptions } from './worker-parts';
