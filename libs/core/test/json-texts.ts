import fc from 'fast-check';

const whiteSpace = fc.string({ unit: fc.constantFrom(' ', '\t', '\n', '\r'), maxLength: 3 });

const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength: 25 });

/** Number texts: beyond 2^53, `1.0`, `1e2`, `-0`, exponents out of range, long fractions. */
export const numberTexts = fc.oneof(
  fc.constantFrom(
    '0',
    '-0',
    '1.0',
    '1e2',
    '1E+2',
    '1e-2',
    '9007199254740993',
    '-0.0',
    '1e400',
    '0.1e-400',
    '999999999999999',
  ),
  fc
    .tuple(
      fc.constantFrom('', '-'),
      digits.map((text) => text.replace(/^0+(?=.)/, '')),
      fc.option(digits, { nil: undefined }),
      fc.option(fc.tuple(fc.constantFrom('e', 'E', 'e+', 'E-'), fc.nat(400)), { nil: undefined }),
    )
    .map(
      ([sign, integer, fraction, exponent]) =>
        sign + integer + (fraction === undefined ? '' : `.${fraction}`) + (exponent ?? []).join(''),
    ),
);

const hexUnit = fc.tuple(fc.integer({ min: 0, max: 0xffff }), fc.boolean()).map(([unit, isUpper]) => {
  const hex = unit.toString(16).padStart(4, '0');
  return `\\u${isUpper ? hex.toUpperCase() : hex}`;
});

/** What may stand between the quotes of a string literal, character by character. */
const literalPart = fc.oneof(
  fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }).filter((char) => char >= ' ' && !'"\\'.includes(char)),
  fc.constantFrom('\\"', '\\\\', '\\/', '\\b', '\\f', '\\n', '\\r', '\\t', '\\u0000', '\\ud83d\\ude00', '\\uD800'),
  fc.constantFrom('\ud800', '\udc00', '\ud83d\ude00', '\u2028', '\u007f', 'é'),
  hexUnit,
);

/** String literals with escapes of every form, NUL and lone surrogates, escaped and as they are. */
export const stringLiterals = fc.array(literalPart, { maxLength: 12 }).map((parts) => `"${parts.join('')}"`);

const keyLiterals = fc.oneof(
  fc.constantFrom('"a"', '"\\u0061"', '"10"', '"2"', '"1"', '"__proto__"', '"constructor"', '""', '"toString"'),
  stringLiterals,
);

const padded = (text: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.tuple(whiteSpace, text, whiteSpace).map((parts) => parts.join(''));

const { value: bareValue, array: arrayText } = fc.letrec<{ value: string; array: string; object: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'medium', maxDepth: 6 },
    fc.constantFrom('true', 'false', 'null'),
    numberTexts,
    stringLiterals,
    tie('array'),
    tie('object'),
  ),
  array: fc
    .tuple(whiteSpace, fc.array(padded(tie('value')), { maxLength: 6 }))
    .map(([space, values]) => (values.length === 0 ? `[${space}]` : `[${values.join(',')}]`)),
  object: fc
    .tuple(whiteSpace, fc.array(fc.tuple(padded(keyLiterals), padded(tie('value'))), { maxLength: 6 }))
    .map(([space, members]) =>
      members.length === 0 ? `{${space}}` : `{${members.map((pair) => pair.join(':')).join(',')}}`,
    ),
}));

/** Valid JSON texts with random white space, duplicate keys and integer-like keys out of order. */
export const jsonTexts = padded(bareValue);

/** Valid JSON values without white space around them. */
export const jsonValueTexts = bareValue;

/** Valid JSON texts of arrays. */
export const arrayTexts = padded(arrayText);

/** Texts that are JSON or nearly so: a valid text with one stretch replaced, or pieces of the grammar at random. */
export const nearlyJsonTexts = fc.oneof(
  fc
    .tuple(
      jsonTexts,
      fc.nat(),
      fc.nat(3),
      fc.string({ unit: fc.constantFrom(...'[]{},:"\\0123e.-+u ntf\n\u0000\ufeff\u00a0'), maxLength: 2 }),
    )
    .map(([text, place, removed, inserted]) => {
      const start = place % (text.length + 1);
      return text.slice(0, start) + inserted + text.slice(start + removed);
    }),
  fc
    .array(
      fc.constantFrom('[', ']', '{', '}', ',', ':', '"', '"a"', '1', '-', '01', '1.', '.5', '1e', 'true', 'nul', ' '),
    )
    .map((pieces) => pieces.join('')),
  fc.string({ unit: 'binary' }),
);
