import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkDatabaseFolder, diagnoseServerLog } from './data-check';

let folder: string;
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'holdfast-data-')), 'postgres');
});
afterEach(() => rmSync(join(folder, '..'), { recursive: true, force: true }));

function database(version: string | undefined, hasControl = true): void {
  mkdirSync(join(folder, 'global'), { recursive: true });
  if (version !== undefined) writeFileSync(join(folder, 'PG_VERSION'), `${version}\n`);
  if (hasControl) writeFileSync(join(folder, 'global', 'pg_control'), 'x');
}

describe('the folder of the database', () => {
  it('may be absent', () => {
    expect(checkDatabaseFolder(folder, '18')).toBe('absent');
  });

  it('is usable by the version that made it', () => {
    database('18');
    expect(checkDatabaseFolder(folder, '18')).toBe('usable');
  });

  it.each([
    ['was made by another version', () => database('17'), 'PostgreSQL 17'],
    ['lost its version', () => database(undefined), 'damaged'],
    ['lost its control file', () => database('18', false), 'damaged'],
    ['is empty', () => mkdirSync(folder), 'damaged'],
    ['is a file', () => writeFileSync(folder, ''), 'is a file'],
  ])('is refused, named and left alone when it %s', (_, make, words) => {
    make();
    const parent = join(folder, '..');
    const before = readdirSync(parent, { recursive: true });
    expect(() => checkDatabaseFolder(folder, '18')).toThrow(words);
    expect(() => checkDatabaseFolder(folder, '18')).toThrow(`mv ${folder}`);
    expect(readdirSync(parent, { recursive: true })).toEqual(before);
  });
});

describe('what a server logs before it ends', () => {
  it.each([
    ['FATAL:  could not write lock file "postmaster.pid": No space left on device', 'disk of /d is full'],
    ['FATAL:  data directory "/d" has wrong ownership', 'belongs to another user'],
    ['postgres: error while loading shared libraries: libicuuc.so.60', 'npm ci'],
    [
      'LOG:  starting\nPANIC:  could not locate a valid checkpoint record',
      'could not locate a valid checkpoint record',
    ],
    ['', '/log'],
  ])('%j becomes a sentence', (log, words) => {
    expect(diagnoseServerLog(log, '/d', '/log')).toContain(words);
  });
});
