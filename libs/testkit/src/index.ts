export const TESTKIT_PROJECT = '@holdfast/testkit';
