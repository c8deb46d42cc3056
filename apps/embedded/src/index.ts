export { HELP, parseStartOptions, type StartOptions } from './command-line';
