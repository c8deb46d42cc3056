import fc from 'fast-check';
import { decodeBase64Head } from './base64-head';

const bytesOf = (text: string, maxBytes = 1000) => [...decodeBase64Head(text, maxBytes)];

describe('head of base64 text', () => {
  it('is what any decoder reads, up to the limit', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), fc.nat({ max: 120 }), (bytes, maxBytes) => {
        const buffer = Buffer.from(bytes);
        const expected = [...bytes.slice(0, maxBytes)];
        expect(bytesOf(buffer.toString('base64'), maxBytes)).toEqual(expected);
        expect(bytesOf(buffer.toString('base64url'), maxBytes)).toEqual(expected);
        expect(bytesOf(`data:image/png;base64,${buffer.toString('base64')}`, maxBytes)).toEqual(expected);
      }),
    );
  });

  it('reads over line breaks and stops at what is no base64', () => {
    expect(bytesOf('aGVs\r\nbG8=')).toEqual([...Buffer.from('hello')]);
    expect(bytesOf('aGVs!bG8=')).toEqual([...Buffer.from('hel')]);
    expect(bytesOf('漢')).toEqual([]);
    expect(bytesOf('data:image/png')).toEqual([...Buffer.from('data', 'base64')]);
  });
});
