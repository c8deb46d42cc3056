import fc from 'fast-check';
import { canonicalText, repackReadsBack, repackText, unpackText } from './repack';
import { stripTerminalCodes } from './terminal-codes';

/** Enough of it that repacking is worthwhile more often than not. */
const ROWS = { maxLength: 40, size: '+1' } as const;
const LINES = { maxLength: 80, size: '+1' } as const;

const literal = fc.oneof(
  fc.constantFrom('1.0', '-0', '12345678901234567890', '1E400', 'null', 'true', '"\\u00e9"', '"#none"', '"a\\ud83d"'),
  fc.string({ unit: 'binary' }).map((value) => JSON.stringify(value)),
);
const cell: fc.Arbitrary<string> = fc.oneof(
  { weight: 5, arbitrary: literal },
  { weight: 1, arbitrary: fc.array(literal, { maxLength: 3 }).map((items) => `[ ${items.join(' , ')} ]`) },
  { weight: 1, arbitrary: fc.tuple(literal, literal).map(([x, y]) => `{"x": ${x}, "y": ${y}}`) },
);
/** Mostly like one another, as rows of one table are. */
const presence: fc.Arbitrary<readonly number[]> = fc.oneof(
  { weight: 4, arbitrary: fc.constant([0, 1, 2]) },
  fc.subarray([0, 1, 2]),
);
const object = fc.tuple(cell, cell, cell, presence).map(([first, second, third, present]) => {
  const members = [`"identifier": ${first}`, `"description" : ${second}`, `"quantity":${third}`];
  return `{ ${members.filter((_, index) => present.includes(index)).join(', ')} }`;
});
const document = fc.oneof(
  fc.array(object, ROWS).map((items) => `[${items.join(' ,\n')}]`),
  fc.array(object, ROWS).map((items) => `{"items" : [${items.join(', ')}], "total": 1.0, "total": 2}`),
  fc.array(object, ROWS).map((items) => `{${items.map((item, n) => `"k${String(n)}": ${item}`).join(', ')}}`),
);
const logText = fc
  .array(
    fc.oneof(
      {
        weight: 6,
        arbitrary: fc.constantFrom(
          '',
          'a line of a log that comes again and again',
          'x',
          'y',
          '\u001b[32mok\u001b[39m',
          'z (×3)',
          '[last 2 lines again, ×4]',
        ),
      },
      fc.string({ unit: 'binary' }),
    ),
    LINES,
  )
  .map((lines) => lines.join('\n'));

describe('repackText', () => {
  it('reads back equal, for JSON and for text', () => {
    fc.assert(
      fc.property(fc.oneof(document, logText), (text) => {
        const repacked = repackText(text);
        if (repacked === undefined) return;
        expect(unpackText(repacked.kind, repacked.text)).toBe(canonicalText(repacked.kind, text));
        expect(repacked.text.length).toBeLessThan(text.length);
      }),
      { numRuns: 500 },
    );
  });

  it('makes rows of like objects and keeps every literal', () => {
    const flights = ['HAT069', 'HAT083', 'HAT100', 'HAT101']
      .map(
        (id, n) =>
          `{"flight_number": "${id}", "fare": 1.0, "prices": {"economy": ${n === 0 ? '12345678901234567890' : '1.50'}, "business": 2}}`,
      )
      .join(', ');
    expect(repackText(`[${flights}]`)?.text).toBe(
      '[same content as tables; [name, value] is in every row]\n' +
        '{"#columns":["flight_number",["fare",1.0],{"prices":["economy",["business",2]]}],"#rows":[\n' +
        '["HAT069",12345678901234567890],\n["HAT083",1.50],\n["HAT100",1.50],\n["HAT101",1.50]]}',
    );
  });

  it('takes the white space out of JSON that is no table, and needs no words for it', () => {
    const text = '{"status": "cancelled", "paid": [{"amount": 567.10}, 2], "note": "a, b: c"}';
    const minified = '{"status":"cancelled","paid":[{"amount":567.10},2],"note":"a, b: c"}';
    expect(repackText(text)).toEqual({ kind: 'minified', text: minified });
    expect(repackReadsBack(minified, text)).toBe(true);
    expect(repackReadsBack(minified.replace('567.10', '567.1'), text)).toBe(false);
  });

  it('folds repeated lines, blocks and copies', () => {
    const block = ['compiling the first module', 'linking the first module', 'writing the first module'];
    const text = [
      ...Array<string>(37).fill('warning: unused'),
      ...block,
      ...block,
      ...block,
      'done',
      ...block,
      ...block,
      ...block,
    ].join('\n');
    const repacked = repackText(text);
    expect(repacked?.text.split('\n')).toEqual([
      '[same content, repeated lines folded]',
      'warning: unused (×37)',
      ...block,
      '[last 3 lines again, ×2]',
      'done',
      ...block,
      '[last 3 lines again, ×2]',
    ]);
    expect(repackReadsBack(repacked?.text ?? '', text)).toBe(true);
    expect(repackReadsBack(repacked?.text ?? '', `${text}x`)).toBe(false);
  });

  it('points at earlier lines that come again', () => {
    const long = 'a line that is long enough to be pointed at instead of being written a second time, here it is';
    const text = [
      'first',
      ...['b', 'c', 'd', 'e'].map((name) => `${name} has a line of its own`),
      long,
      'x',
      long,
      'y',
    ];
    expect(
      repackText([...text, ...text.slice(1, 5)].join('\n'))
        ?.text.split('\n')
        .slice(7),
    ).toEqual(['x', '[line 6 again]', 'y', '[lines 2-5 again]']);
  });

  it('leaves out terminal codes and nothing else', () => {
    expect(stripTerminalCodes('\u001b[36mvite\u001b[39m \u001b]0;title\u0007[32m \u001b[2K\u001b[1Gok')).toBe(
      'vite [32m ok',
    );
  });

  it('reads JSON lines as a table', () => {
    const lines = Array.from(
      { length: 20 },
      (_, n) => `{"timestamp":"2024-05-15","level":"info","message":"m${String(n)}"}`,
    );
    expect(repackText(lines.join('\n'))?.kind).toBe('json_lines');
  });

  it('does nothing where nothing is gained, and nothing twice', () => {
    expect(repackText('{"a":1}')).toBeUndefined();
    expect(repackText('a short text')).toBeUndefined();
    const once = repackText('same line\n'.repeat(100));
    expect(repackText(once?.text ?? '')).toBeUndefined();
  });

  it.each(['\u001b[', '\u001b]x', '\n', 'a\nb\n', '[', '{"a":', 'a (×3', '[lines 1-2 again]\n'])(
    'gets through 300,000 times %j',
    (piece) => {
      expect(() => repackText(piece.repeat(300_000))).not.toThrow();
    },
  );
});
