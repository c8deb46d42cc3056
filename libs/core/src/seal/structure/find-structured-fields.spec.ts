import fc from 'fast-check';
import { findCriticalFields } from '../find-critical-fields';
import { sealText } from '../seal-text';
import { unsealText } from '../unseal-text';
import { findStructuredFields } from './find-structured-fields';

const named = (text: string): string[] =>
  findStructuredFields(text).map(({ kind, start, end, name }) => `${name}: ${kind} ${text.slice(start, end)}`);

describe('findStructuredFields', () => {
  it.each([
    [
      'arguments of a call',
      'book {"pnr": "qxwzrt", "legs": [{"flight": "HAT136", "price": 152.50}], "cabin": "economy", "note": "window seat"}',
      ['pnr: identifier qxwzrt', 'legs[0].flight: identifier HAT136', 'legs[0].price: number 152.50'],
    ],
    [
      'ids that are made of digits alone',
      '{"item_id": "9624127908", "phone": "+44 20 7946 0812", "at": "2026-05-12 10:22:31"}',
      ['item_id: identifier 9624127908', 'phone: identifier +44 20 7946 0812', 'at: date 2026-05-12 10:22:31'],
    ],
    [
      'a result that breaks off',
      '[{"sku": "a+b/c==", "qty": 3}, {"sku": "zz',
      ['[0].sku: identifier a+b/c==', '[0].qty: number 3'],
    ],
    [
      'a markdown table',
      '| Flight | Seats |\n|---|--:|\n| HAT214 | 5 |\n| HAT241 | 17 |\n\nmore',
      ['Flight: identifier HAT214', 'Seats: number 5', 'Flight: identifier HAT241', 'Seats: number 17'],
    ],
    [
      'what psql prints',
      ' slot_name | restart_lsn\n-----------+-------------\n standby_a | 4F8/19A3D040\n(1 row)',
      ['slot_name: name standby_a', 'restart_lsn: identifier 4F8/19A3D040'],
    ],
    [
      'columns parted by tabs',
      'doc\tamount\n1900047731\t118,000.00\n1900047745\t-117,250.00',
      [
        'doc: identifier 1900047731',
        'amount: number 118,000.00',
        'doc: identifier 1900047745',
        'amount: number -117,250.00',
      ],
    ],
    [
      'key and value lines',
      '- **Booking code**: qxwzrt\nTracking id: 6A20541187730\nNote: it went well',
      ['Booking code: identifier qxwzrt', 'Tracking id: hash 6A20541187730'],
    ],
    [
      'assignments',
      'status=PAID amount=3417.85 receipt=ZB-2026-55120.',
      ['status: identifier PAID', 'amount: number 3417.85', 'receipt: identifier ZB-2026-55120'],
    ],
    [
      'a command behind a prompt',
      '$ git push --set-upstream origin fix/jitter -o ci.skip --depth=3 && kubectl -n staging get pods',
      [
        'git: flag --set-upstream',
        '--set-upstream: identifier origin',
        'git: path fix/jitter',
        'git: flag -o',
        '-o: name ci.skip',
        'git: flag --depth',
        '--depth: number 3',
        'kubectl: flag -n',
        '-n: identifier staging',
      ],
    ],
    [
      'a diff',
      '--- a/src/net/backoff.py\n+++ b/src/net/backoff.py\n@@ -12,3 +12,4 @@ def wait():\n-    x',
      ['file: path src/net/backoff.py', 'file: path src/net/backoff.py', 'hunk: number -12,3 +12,4'],
    ],
  ])('reads %s', (_name, text, expected) => {
    expect(named(text)).toEqual(expected);
  });

  it('leaves words, sentences and prose in brackets alone', () => {
    expect(
      named('{"status": "delivered", "text": "It arrived on time."}\nSee [the list] and {this}. Result: all is well'),
    ).toEqual([]);
  });

  const id = fc.stringMatching(/^[A-Za-z]{2,5}[-_.:]?[0-9]{2,9}[A-Za-z]?$/);
  const tree = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      id,
      fc.integer({ min: -9_999_999, max: 99_999_999 }),
      fc.constantFrom(true, null, 'economy', 'It went well.'),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(fc.stringMatching(/^[a-z_]{2,10}$/), tie('value'), { maxKeys: 4 }),
    ),
  })).value;

  it('finds every id and number of a JSON result, under the path where it stands', () => {
    fc.assert(
      fc.property(
        fc.record({ items: fc.array(tree, { minLength: 1, maxLength: 4 }), ref: id }),
        fc.constantFrom(0, 2),
        (value, indent) => {
          const text = `lookup ${JSON.stringify(value, null, indent)}`;
          const fields = findCriticalFields(text).map((field) => `${field.name ?? ''}=${field.value}`);
          for (const leaf of leavesOf(value, '')) expect(fields).toContain(leaf);
        },
      ),
    );
  });

  it('gives back every text that was sealed, byte for byte', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary' }),
      tree.map((value) => JSON.stringify(value)),
      fc.constantFrom(
        '| a-1 | b |\n|---|---|\n| c-2 | 4 |\n',
        'k\tv\nx-1\t2\n',
        '$ cp -r a-1 b/c\n',
        'a=1 b="c-2"\n',
        'Ref: W-1\n',
      ),
      fc.constantFrom('@@ -1,2 +3 @@\n', '--- a/x.ts\n', '{"', '"}', '[', '⟦1:path⟧', '\ud800', '\u0000', '\r\n'),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join('');
        const sealed = sealText(text);
        expect(unsealText(sealed, sealed.text)).toMatchObject({ kind: 'ok', text });
        for (const { value, start, end } of findCriticalFields(text)) expect(text.slice(start, end)).toBe(value);
      }),
    );
  });

  it.each([
    '{"',
    '[{"a":',
    '{"a":[',
    '"a',
    '| ',
    '|-',
    'a=1 ',
    'a\t',
    'a\tb\n',
    '|-|\n',
    '$ a "',
    '@@ -1 +1 @@',
    '["',
    '{"a":1,',
    '\\"',
  ])('gets through 200,000 times %j', (piece) => {
    expect(() => findCriticalFields(piece.repeat(200_000))).not.toThrow();
  });
});

/** `path=value` of every number and id of a value. */
function leavesOf(value: unknown, path: string): readonly string[] {
  if (typeof value === 'number') return [`${path}=${String(value)}`];
  if (typeof value === 'string') return /\d/.test(value) ? [`${path}=${value}`] : [];
  if (Array.isArray(value)) return value.flatMap((one, index) => leavesOf(one, `${path}[${String(index)}]`));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) => leavesOf(one, path === '' ? key : `${path}.${key}`));
}
