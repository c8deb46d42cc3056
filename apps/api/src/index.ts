export const API_PROJECT = '@holdfast/api';
