export const E2E_PROJECT = '@holdfast/e2e';
