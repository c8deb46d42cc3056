import { readLogLine } from './log-line';

describe('a line of a log', () => {
  it.each([
    ['{"level":30,"msg":"listening","url":"http://x"}', { level: 'info', text: 'listening' }],
    ['{"level":40,"msg":"slow","code":"SLOW"}', { level: 'warn', text: 'slow | SLOW' }],
    ['{"level":"error","msg":"broke","err":{"message":"no route"}}', { level: 'error', text: 'broke | no route' }],
    ['{"level":20,"msg":"detail"}', { level: 'debug', text: 'detail' }],
  ])('of JSON is read: %s', (line, expected) => {
    expect(readLogLine(line, 'info')).toEqual(expected);
  });

  it.each(['plain words', '{"level":30', '{}x'])('of anything else stays as it is: %s', (line) => {
    expect(readLogLine(line, 'error')).toEqual({ level: 'error', text: line });
  });
});
