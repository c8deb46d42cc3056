export { isHarmlessName, readShell } from './read-shell';
export { readerName } from './reader-commands';
export { literalWord, type ShellAssignment, type ShellWord, type SimpleCommand } from './shell-word';
