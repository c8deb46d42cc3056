import fc from 'fast-check';
import { packJson, unpackJson } from './packed-json';

describe('packed JSON', () => {
  it('comes back as it went in', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (value) => {
        const plain: unknown = JSON.parse(JSON.stringify(value));
        expect(await unpackJson(await packJson(value))).toEqual(plain);
      }),
    );
  });

  it('keeps NUL and lone surrogates', async () => {
    const value = { text: 'a\0b \ud800 c' };
    expect(await unpackJson(await packJson(value))).toEqual(value);
  });

  it('is smaller than its text when the text repeats itself', async () => {
    expect((await packJson(Array.from({ length: 500 }, () => 'e12'))).length).toBeLessThan(100);
  });
});
