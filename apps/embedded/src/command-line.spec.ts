import { parseStartOptions } from './command-line';
import { StartError } from './start-error';

describe('options of npm start', () => {
  it('have defaults', () => {
    expect(parseStartOptions([], '/home/me')).toEqual({
      once: false,
      file: undefined,
      format: undefined,
      budgetTokens: undefined,
      port: undefined,
      dataFolder: undefined,
      verbose: false,
      showWindow: false,
    });
  });

  it('take paths from where the user stands', () => {
    const options = parseStartOptions(['--file', 'a.jsonl', '--data', '../d', '--budget', '4_000'], '/home/me');
    expect(options).toMatchObject({ file: '/home/me/a.jsonl', dataFolder: '/home/d', budgetTokens: 4_000 });
  });

  it('are undefined when help is asked for', () => {
    expect(parseStartOptions(['--once', '--help'], '/')).toBeUndefined();
  });

  it.each([
    ['an unknown option', ['--onec']],
    ['a word too many', ['session.jsonl']],
    ['a port that is none', ['--port', '65536']],
    ['a port of zero', ['--port', '0']],
    ['a budget in words', ['--budget', 'half']],
    ['an option without its value', ['--file']],
  ])('refuse %s with a sentence', (_, args) => {
    expect(() => parseStartOptions(args, '/')).toThrow(StartError);
  });
});
