import fc from 'fast-check';
import { imageSize, imageSizeOfBase64 } from './image-size';

const ascii = (text: string) => [...text].map((character) => character.charCodeAt(0));
const big = (value: number, count: number) =>
  Array.from({ length: count }, (_, at) => (value >>> (8 * (count - 1 - at))) & 0xff);
const little = (value: number, count: number) => big(value, count).reverse();

const png = (width: number, height: number) => [
  0x89,
  ...ascii('PNG\r\n\u001a\n'),
  ...big(13, 4),
  ...ascii('IHDR'),
  ...big(width, 4),
  ...big(height, 4),
  8,
  6,
  0,
  0,
  0,
];
const gif = (width: number, height: number) => [...ascii('GIF89a'), ...little(width, 2), ...little(height, 2), 0, 0, 0];
const riff = (chunk: string, content: number[]) => [
  ...ascii('RIFF'),
  0,
  0,
  0,
  0,
  ...ascii('WEBP'),
  ...ascii(chunk),
  0,
  0,
  0,
  0,
  ...content,
];
const webpExtended = (width: number, height: number) =>
  riff('VP8X', [0, 0, 0, 0, ...little(width - 1, 3), ...little(height - 1, 3)]);
const webpLossless = (width: number, height: number) =>
  riff('VP8L', [0x2f, ...little(((height - 1) << 14) | (width - 1), 4), 0, 0, 0, 0, 0]);
const webpLossy = (width: number, height: number) =>
  riff('VP8 ', [0, 0, 0, 0x9d, 0x01, 0x2a, ...little(width, 2), ...little(height, 2)]);
const jpeg = (width: number, height: number, metadataBytes = 0) => [
  0xff,
  0xd8,
  ...Array.from({ length: Math.ceil(metadataBytes / 60_000) }, () => [
    0xff,
    0xe1,
    ...big(60_002, 2),
    ...Array<number>(60_000).fill(7),
  ]).flat(),
  0xff,
  0xff,
  0xc4,
  0,
  4,
  1,
  2, // a Huffman table after a fill byte
  0xff,
  0xc2,
  0,
  17,
  8,
  ...big(height, 2),
  ...big(width, 2),
  3,
];

const formats: [string, (width: number, height: number) => number[], number][] = [
  ['PNG', png, 0x7fffffff],
  ['GIF', gif, 0xffff],
  ['extended WebP', webpExtended, 0xffffff],
  ['lossless WebP', webpLossless, 0x3fff],
  ['lossy WebP', webpLossy, 0x3fff],
  ['JPEG', jpeg, 0xffff],
];

describe('pixel size of an image', () => {
  it.each(formats)('is read from a %s', (_, encode, max) => {
    const length = fc.integer({ min: 1, max });
    fc.assert(
      fc.property(length, length, (width, height) => {
        const bytes = Uint8Array.from(encode(width, height));
        expect(imageSize(bytes)).toEqual({ width, height });
        expect(imageSizeOfBase64(Buffer.from(bytes).toString('base64'))).toEqual({ width, height });
      }),
    );
  });

  it('is found behind the metadata of a JPEG, and not searched for without end', () => {
    const base64 = (metadataBytes: number) => Buffer.from(jpeg(800, 600, metadataBytes)).toString('base64');
    expect(imageSizeOfBase64(base64(120_000))).toEqual({ width: 800, height: 600 });
    expect(imageSizeOfBase64(base64(600_000))).toBeUndefined();
  });

  it.each(formats)('is unknown for a %s that is cut short or empty', (_, encode) => {
    const bytes = encode(300, 200);
    expect(imageSize(Uint8Array.from(bytes.slice(0, 9)))).toBeUndefined();
  });

  it('is unknown for a size of zero and for anything else', () => {
    expect(imageSize(Uint8Array.from(png(0, 10)))).toBeUndefined();
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => imageSize(bytes) === undefined || bytes.length >= 10),
    );
    expect(imageSizeOfBase64('not base64 at all')).toBeUndefined();
  });
});
