export const OBSERVABILITY_PROJECT = '@holdfast/observability';
