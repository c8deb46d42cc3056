export const TOKENS_PROJECT = '@holdfast/tokens';
