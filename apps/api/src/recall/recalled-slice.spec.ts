import { encodeText } from '@holdfast/core';
import { sliceOf } from './recalled-slice';

const TEXT = 'a\r\nzwölf\n\ud83d\ude00!';
const found = {
  handle: 'h_abcdef',
  sha256: '0'.repeat(64),
  bytes: encodeText(TEXT),
  text: TEXT,
  label: 'x',
  elementId: 'e1',
  tokens: 3,
};
const slice = (parts: { lines?: string; bytes?: string }) =>
  sliceOf(found, { lines: undefined, bytes: undefined, ...parts });

it('all of it', () => {
  expect(slice({}).view).toMatchObject({
    text: TEXT,
    lines: { first: 1, last: 3, total: 3 },
    bytes: { first: 0, last: 14, total: 15 },
  });
});

it.each([
  [{ lines: '2-2' }, 'zwölf\n', { first: 2, last: 2, total: 3 }, { first: 3, last: 9, total: 15 }],
  [{ lines: '3-99' }, '\ud83d\ude00!', { first: 3, last: 3, total: 3 }, { first: 10, last: 14, total: 15 }],
  [{ bytes: '3-4' }, 'zw', { first: 2, last: 2, total: 3 }, { first: 3, last: 4, total: 15 }],
  [{ bytes: '0-99' }, TEXT, { first: 1, last: 3, total: 3 }, { first: 0, last: 14, total: 15 }],
  // The second byte of an umlaut and the first of an emoji: neither is a character.
  [{ bytes: '6-10' }, 'lf\n', { first: 2, last: 2, total: 3 }, { first: 7, last: 9, total: 15 }],
  [{ bytes: '11-12' }, '', { first: 3, last: 3, total: 3 }, { first: 14, last: 13, total: 15 }],
])('%j', (parts, text, lines, bytes) => {
  const { view, bytes: raw } = slice(parts);
  expect(view).toMatchObject({ text, lines, bytes });
  expect(raw).toEqual(encodeText(text));
});

it.each([{ bytes: '15-20' }, { bytes: '4-3' }, { lines: '4-5' }])('%j lies outside', (parts) => {
  expect(() => slice(parts)).toThrow(expect.objectContaining({ code: 'FIELD_OUT_OF_RANGE' }));
});
