const LITERAL = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,9}))?$/u;

/**
 * A JSON number's value, exactly, in one spelling: `77`, `77.0` and `7.7e1` are the same amount and the same order. Never
 * goes through floating point, so 2^53 + 1 stays itself. A literal with a monstrous exponent stays as it is written.
 */
export function exactNumber(literal: string): string {
  const match = LITERAL.exec(literal);
  if (match === null) return literal;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  const digits = `${whole}${fraction}`.replace(/^0+/u, '');
  const significant = digits.replace(/0+$/u, '');
  if (significant === '') return '0';
  const power = Number(exponent) - fraction.length + (digits.length - significant.length);
  return `${sign}${significant}${power === 0 ? '' : `e${String(power)}`}`;
}
