export const CLI_PROJECT = 'holdfast';
