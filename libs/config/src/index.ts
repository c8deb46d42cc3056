export const CONFIG_PROJECT = '@holdfast/config';
