import fc from 'fast-check';
import { tellingLines, withoutLinesAgain } from './lines-again';

const MARK = '[recall h_abcdef1234]';

describe('lines that come again leave the older result', () => {
  const build = (hash: string): string =>
    [
      'vite v6.3.5 building for production...',
      ...Array.from({ length: 20 }, (_, n) => `build/client/assets/chunk-${String(n)}.js  0.2 kB`),
      '}',
      `✓ built, bundle id ${hash}-f550-52e0`,
    ].join('\n');

  it('keeps what only the older one says, and says how to see the rest', () => {
    const later = new Set(tellingLines(build('second')));
    expect(withoutLinesAgain(build('first'), (line) => later.has(line), MARK)?.text.split('\n')).toEqual([
      '[1 of 23 lines, without what was said above or came again later; recall h_abcdef1234]',
      '…',
      '✓ built, bundle id first-f550-52e0',
    ]);
  });

  it('says so in a word where all of it comes again', () => {
    const text = Array.from({ length: 6 }, (_, n) => `make: *** [Makefile:192: build] Error ${String(n)}`).join('\n');
    expect(withoutLinesAgain(text, () => true, MARK)?.text).toBe('[all of it comes again below; recall h_abcdef1234]');
  });

  it('says a line once', () => {
    const text = Array<string>(30).fill('the same long line of a log').join('\n');
    expect(
      withoutLinesAgain(text, () => false, MARK)
        ?.text.split('\n')
        .slice(1),
    ).toEqual(['the same long line of a log', '…']);
  });

  it('leaves alone a text that says everything once', () => {
    expect(withoutLinesAgain(build('first'), () => false, MARK)).toBeUndefined();
  });

  it('loses no telling line that stands nowhere else, and invents none', () => {
    const line = fc.constantFrom(
      ...Array.from({ length: 12 }, (_, n) => `a line of a result, number ${String(n)}`),
      '}',
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 40 }), fc.array(line, { maxLength: 8 }), (lines, later) => {
        const reduced = withoutLinesAgain(lines.join('\n'), (one) => later.includes(one), MARK);
        if (reduced === undefined) return;
        const shown = reduced.text.split('\n').slice(1);
        const wanted = tellingLines(lines.join('\n')).filter((one) => !later.includes(one));
        expect(new Set(tellingLines(shown.join('\n')))).toEqual(new Set(wanted));
        expect(shown.every((one) => one === '…' || lines.includes(one))).toBe(true);
      }),
    );
  });
});
