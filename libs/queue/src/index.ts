export const QUEUE_PROJECT = '@holdfast/queue';
