export const CONTRACTS_PROJECT = '@holdfast/contracts';
