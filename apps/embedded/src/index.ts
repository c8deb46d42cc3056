export const EMBEDDED_PROJECT = '@holdfast/embedded';
