import type { ShellWord } from './shell-word';

/** Tests, options and actions of find that take no value and print at most. */
const ALONE: ReadonlySet<string> = new Set(
  (
    '-print -print0 -ls -prune -quit -true -false -empty -readable -writable -executable -nouser -nogroup -depth -d ' +
    '-xdev -mount -follow -daystart -noleaf -not -a -and -o -or ! ( ) , -H -L -P -E -s -x'
  ).split(' '),
);
/** The same with one value. */
const VALUED: ReadonlySet<string> = new Set(
  (
    '-name -iname -path -ipath -wholename -iwholename -regex -iregex -regextype -type -xtype -size -mtime -atime -ctime ' +
    '-mmin -amin -cmin -newer -anewer -cnewer -newermt -newerct -maxdepth -mindepth -perm -user -group -uid -gid -inum ' +
    '-links -samefile -lname -ilname -fstype -used -printf'
  ).split(' '),
);

/** True for a find that prints at most; `readsAnything` says which commands may be run on what it finds. */
export function findReads(
  words: readonly ShellWord[],
  readsAnything: (command: readonly ShellWord[]) => boolean,
): boolean {
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    if (word === undefined) return false;
    const { text, expansion, prefix } = word;
    if (expansion === 'split') return false;
    if (expansion !== 'no') {
      // No action has a dot or a slash in its name.
      if (!(prefix !== '' && !/^[-(!]/u.test(prefix)) && !(expansion === 'glob' && /[./]/u.test(text))) return false;
    } else if (text === '-exec') {
      const end = words.findIndex(({ text: stop }, place) => place > at && (stop === ';' || stop === '+'));
      if (end < 0 || !readsAnything(words.slice(at + 1, end))) return false;
      at = end;
    } else if (VALUED.has(text)) {
      const value = words[(at += 1)];
      if (value === undefined || value.expansion === 'split') return false;
      if (value.expansion === 'glob' && !/[./]/u.test(value.text)) return false;
    } else if (/^[-(!,]/u.test(text) && !ALONE.has(text)) return false;
  }
  return true;
}
