import { readTraceparent, writeTraceparent } from './trace-context';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';

describe('traceparent', () => {
  it('is read, and written as it was', () => {
    expect(readTraceparent(`00-${TRACE}-${SPAN}-01`)).toEqual({ traceId: TRACE, spanId: SPAN, sampled: true });
    expect(readTraceparent(`00-${TRACE}-${SPAN}-02`)?.sampled).toBe(false);
    for (const text of [`00-${TRACE}-${SPAN}-01`, `00-${TRACE}-${SPAN}-00`]) {
      const context = readTraceparent(text);
      expect(context === undefined ? undefined : writeTraceparent(context)).toBe(text);
    }
  });

  it.each([
    ['nothing', undefined],
    ['a list', [`00-${TRACE}-${SPAN}-01`]],
    ['words', 'hello'],
    ['the version that is none', `ff-${TRACE}-${SPAN}-01`],
    ['a trace of zeros', `00-${'0'.repeat(32)}-${SPAN}-01`],
    ['a span of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`],
    ['capital letters', `00-${TRACE.toUpperCase()}-${SPAN}-01`],
    ['something behind it', `00-${TRACE}-${SPAN}-01\n`],
    ['five megabytes', '0'.repeat(5_000_000)],
  ])('%s is none', (_, text) => {
    expect(readTraceparent(text)).toBeUndefined();
  });
});
