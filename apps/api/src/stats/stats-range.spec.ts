import { STATS_BUCKETS } from '@holdfast/contracts';
import fc from 'fast-check';
import { statsRange } from './stats-range';

const NOW = new Date('2026-12-01T05:31:07.250Z');

it.each([
  [{}, '2026-11-30T05:30:00.000Z', '2026-12-01T05:35:00.000Z', '5m'],
  [{ from: '2026-12-01T05:00:00Z' }, '2026-12-01T05:00:00.000Z', '2026-12-01T05:32:00.000Z', '1m'],
  [{ from: '2026-09-01T00:00:00Z' }, '2026-09-01T00:00:00.000Z', '2026-12-01T06:00:00.000Z', '6h'],
  [
    { from: '2026-11-25T12:00:00Z', bucket: '7d' as const },
    '2026-11-23T00:00:00.000Z',
    '2026-12-07T00:00:00.000Z',
    '7d',
  ],
])('of %j is whole buckets in UTC', (asked, from, to, bucket) => {
  expect(statsRange(asked, NOW)).toEqual({ from: new Date(from), to: new Date(to), bucket });
});

it('never has more than 500 points, and never less than was asked for', () => {
  const times = fc.date({ min: new Date('2018-01-01T00:00:00Z'), max: NOW, noInvalidDate: true });
  fc.assert(
    fc.property(times, times, (a, b) => {
      fc.pre(a < b);
      const range = statsRange({ from: a.toISOString(), to: b.toISOString() }, NOW);
      if ('code' in range) throw new Error(range.message);
      const width = STATS_BUCKETS[range.bucket] * 1_000;
      expect((range.to.getTime() - range.from.getTime()) / width).toBeLessThanOrEqual(500);
      expect(range.from <= a && b <= range.to).toBe(true);
    }),
  );
});

it.each([
  [{ from: '2026-12-02T00:00:00Z' }, '/from'],
  [{ from: '1999-01-01T00:00:00Z' }, '/from'],
  [{ from: '2001-01-01T00:00:00Z', to: '2026-01-01T00:00:00Z' }, '/from'],
  [{ from: '2026-11-01T00:00:00Z', bucket: '1m' as const }, '/bucket'],
  [{ to: '2031-01-01T00:00:00Z' }, '/to'],
])('says what is wrong with %j', (asked, path) => {
  expect(statsRange(asked, NOW)).toMatchObject({ code: 'FIELD_OUT_OF_RANGE', path });
});
