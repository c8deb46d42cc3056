import { compilePattern } from './safe-pattern';

it.each([
  '^Error',
  'exit code [1-9]\\d*',
  '(?:failed|rejected)',
  '\\bstatus: \\w+ \\(\\d+\\)',
  '^.*denied$',
  '[+*?]',
  '\\(a+\\)',
  '(?<code>\\d{3})',
])('takes %s', (source) => {
  expect(compilePattern(source).kind).toBe('pattern');
});

it.each([
  '(a+)+$',
  '(a|a)*b',
  '(?:a?){30}b',
  '(?=x)',
  '(?<!x)y',
  '(a)\\1',
  '.*a.*b',
  'a'.repeat(201),
  '(',
  '[',
  '(?:\\d+,){2,}',
])('refuses %s', (source) => {
  expect(compilePattern(source).kind).toBe('unsafe');
});
