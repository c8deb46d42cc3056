export const WORKER_PROJECT = '@holdfast/worker';
