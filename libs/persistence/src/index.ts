export const PERSISTENCE_PROJECT = '@holdfast/persistence';
