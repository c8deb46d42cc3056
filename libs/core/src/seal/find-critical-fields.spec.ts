import fc from 'fast-check';
import { findCriticalFields } from './find-critical-fields';

const found = (text: string): string[] => findCriticalFields(text).map(({ kind, value }) => `${kind} ${value}`);

describe('findCriticalFields', () => {
  it.each([
    ['Your reservation ID is **HATHAT**.', ['identifier HATHAT']],
    ['order #W2378156 of mia_li_3668', ['identifier #W2378156', 'identifier mia_li_3668']],
    ['paid 1,625.50 of $4,875, 20% off', ['number 1,625.50', 'amount $4,875', 'number 20%']],
    ['took 118 ms and 10MB, 118,000 tokens', ['number 118 ms', 'number 10MB', 'number 118,000 tokens']],
    [
      'on May 20th, at 06:00 AM EST, 2024-05-20T16:48:21Z',
      ['date May 20th', 'date 06:00 AM', 'date 2024-05-20T16:48:21Z'],
    ],
    ['vite v6.3.5, node 20.19.1, ^1.2', ['version v6.3.5', 'version 20.19.1', 'version ^1.2']],
    ['bumped 0.7.29 on 20.05.2024, 30°C', ['version 0.7.29', 'date 20.05.2024', 'number 30°C']],
    ['4bdbf8f...190d0db', ['hash 4bdbf8f', 'hash 190d0db']],
    ['id 123e4567-e89b-12d3-a456-426614174000', ['identifier 123e4567-e89b-12d3-a456-426614174000']],
    ['see app/routes/api.stream.ts:12:5 and ../a/b.', ['path app/routes/api.stream.ts:12:5', 'path ../a/b']],
    ['under `/etc/prod/` or C:\\Users\\bob\\x.txt', ['path /etc/prod/', 'path C:\\Users\\bob\\x.txt']],
    ['open https://a.dev/x?y=1&z=(2)). Then', ['url https://a.dev/x?y=1&z=(2)']],
    ['mail james.patel1360@example.com now', ['email james.patel1360@example.com']],
    ['git push --force-with-lease -u', ['flag --force-with-lease', 'flag -u']],
    [
      'set DATABASE_URL and `fill` of ChartData via formatSSEMessage',
      ['name DATABASE_URL', 'name fill', 'name ChartData', 'name formatSSEMessage'],
    ],
    ['from JFK to SEA on HAT136', ['identifier JFK', 'identifier SEA', 'identifier HAT136']],
    ['a 12-character id, step 6 of 9, 4/22', ['number 12', 'number 6', 'number 9', 'number 4/22']],
    ['amount -567 and {"amount":-305}', ['number -567', 'number -305']],
    ['arn:aws:s3:::bucket-1 and sha256:0a1b2c3d4e', ['identifier arn:aws:s3:::bucket-1', 'hash sha256:0a1b2c3d4e']],
    ['@scope/pkg and package.json', ['path @scope/pkg', 'path package.json']],
  ])('%s', (text, expected) => {
    expect(found(text)).toEqual(expected);
  });

  it('takes ordinary words for words', () => {
    expect(found("1. Don't re-run this and/or that, e.g. the non-idempotent one; it is read-only. THE API")).toEqual(
      [],
    );
  });

  it('gives fields in order, without overlap, with the bytes of the text', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.string({ unit: 'binary' }),
            fc.constantFrom('a/b.ts', '--x', '://', '1,234', 'May 5', '$', '..', '\ud800'),
          ),
        ),
        (pieces) => {
          const text = pieces.join('');
          let end = 0;
          for (const field of findCriticalFields(text)) {
            expect(field.start).toBeGreaterThanOrEqual(end);
            expect(field.end).toBeGreaterThan(field.start);
            expect(text.slice(field.start, field.end)).toBe(field.value);
            end = field.end;
          }
        },
      ),
    );
  });

  it.each(['-- ', '---', 'a.', '1,', '://', 'May ', '1 a-', '/..', 'aA-', '.', 'x:', '5 ', 'a@', '((', '\u0301'])(
    'gets through 200,000 times %j',
    (piece) => {
      expect(() => findCriticalFields(piece.repeat(200_000))).not.toThrow();
    },
  );
});
