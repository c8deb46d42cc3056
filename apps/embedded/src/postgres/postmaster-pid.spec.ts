import { parsePostmasterPid } from './postmaster-pid';

describe('postmaster.pid', () => {
  it('names process, folder and port', () => {
    const text = '4711\n/srv/holdfast/postgres\n1796000000\n45123\n\n127.0.0.1\n  5432001  7\nready   \n';
    expect(parsePostmasterPid(text)).toEqual({ pid: 4711, dataFolder: '/srv/holdfast/postgres', port: 45123 });
  });

  it('has no port while the server is still starting', () => {
    expect(parsePostmasterPid('4711\n/data\n1796000000\n')).toMatchObject({ pid: 4711, port: undefined });
  });

  it.each([
    ['an empty file', ''],
    ['a number of init or of a group', '1\n/data\n'],
    ['a negative number', '-4711\n/data\n1\n5432\n'],
    ['words', 'postgres\n/data\n'],
    ['a number alone', '4711'],
  ])('is nothing when it holds %s', (_, text) => {
    expect(parsePostmasterPid(text)).toBeUndefined();
  });
});
