import fc from 'fast-check';
import { linearPattern, PatternError } from './linear-pattern';

const atom = fc.constantFrom('a', 'b', 'c', '.', '[ab]', '[^a]', '[a-b]', '\\d', '\\w', '\\.', '-');
const { pattern } = fc.letrec<{ pattern: string; part: string }>((tie) => ({
  pattern: fc.oneof(
    { maxDepth: 4 },
    atom,
    fc.tuple(tie('part'), tie('part')).map(([a, b]) => a + b),
    fc.tuple(tie('pattern'), tie('pattern')).map(([a, b]) => `(${a}|${b})`),
    fc.tuple(tie('part'), fc.constantFrom('*', '+', '?')).map(([a, sign]) => `(${a})${sign}`),
    tie('pattern').map((a) => `(${a}|)`),
  ),
  part: fc.oneof(
    { maxDepth: 4 },
    atom,
    tie('pattern').map((a) => `(?:${a})`),
  ),
}));

it('For any pattern it agrees with the language’s own expressions, anchored', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '1', '.', '-'), maxLength: 8 });
  fc.assert(
    fc.property(pattern, fc.array(text, { maxLength: 8 }), (drawn, texts) => {
      fc.pre(drawn.length <= 60);
      const expected = new RegExp(`^(?:${drawn})$`, 'su');
      const compiled = linearPattern(drawn);
      for (const each of texts)
        expect([drawn, each, compiled.matches(each)]).toEqual([drawn, each, expected.test(each)]);
    }),
    { numRuns: 500 },
  );
});

it.each([
  ['billing-.*|ops', 'billing-bot', true],
  ['billing-.*|ops', 'ops', true],
  ['billing-.*|ops', 'devops', false],
  ['', '', true],
  ['', 'a', false],
  ['[]a]+', ']a]', true],
  ['[a-]', '-', true],
  ['é?👩', '👩', true],
])('%s on %s: %s', (drawn, text, expected) => {
  expect(linearPattern(drawn).matches(text)).toBe(expected);
});

it.each([
  '(',
  ')',
  '[',
  '[a',
  '*',
  'a|*',
  '(?=a)',
  '(?<n>a)',
  'a{2}',
  '\\',
  '\\1',
  '\\b',
  '^a',
  'a$',
  '[b-a]',
  'a'.repeat(257),
  '('.repeat(100),
])('%.20s is refused with a reason', (drawn) => {
  expect(() => linearPattern(drawn)).toThrow(PatternError);
});

it.each([
  '(a*)*b',
  '(a+)+b',
  '(a|a)*b',
  '(a|aa)+b',
  '(.*)*(.*)*(.*)*b',
  '((a*)*)*b',
  `${'a?'.repeat(60)}${'a'.repeat(60)}b`,
])('the bomb %.20s ends on a long text', (drawn) => {
  expect(linearPattern(drawn).matches('a'.repeat(20_000))).toBe(false);
});
