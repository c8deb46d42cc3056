import fc from 'fast-check';
import { mergeSealed, sealText } from './seal-text';
import { isTokenBoundaryMatch, findWholeToken } from './token-boundary';
import { unsealText } from './unseal-text';
import { wholeCharacterOffset } from './word-character';

const anyText = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(' W2378156 ', 'src/a.ts', '⟦', '⟧', '⟪', '⦃', '⧼1:path⧽', ' 3:number ', '12', '\ud83d'),
    ),
  )
  .map((pieces) => pieces.join(''));

describe('sealText and unsealText', () => {
  it('puts every byte back', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const sealed = sealText(text);
        expect(unsealText(sealed, sealed.text)).toEqual({ kind: 'ok', text, dropped: [] });
      }),
    );
  });

  it('hides the values and numbers them on over several texts', () => {
    const first = sealText('moved src/a.ts to src/b.ts');
    const second = sealText('order W2378156 is done', 1 + first.fields.size);
    expect(first.text).toBe('moved ⟦1:path⟧ to ⟦2:path⟧');
    expect(second.text).toBe('order ⟦3:identifier⟧ is done');
    expect(unsealText(mergeSealed([first, second]), '⟦3:identifier⟧, ⟦1:path⟧')).toEqual({
      kind: 'ok',
      text: 'W2378156, src/a.ts',
      dropped: ['⟦2:path⟧'],
    });
  });

  it.each([
    ['another number', 'moved ⟦4:path⟧'],
    ['another kind', 'moved ⟦1:name⟧'],
    ['a lost bracket', 'moved ⟦1:path'],
    ['no brackets', 'moved 1:path'],
    ['other brackets', 'moved [1:path]'],
    ['a glued letter', 'moved ⟦1:path⟧x'],
    ['a nested one', 'moved ⟦⟦1:path⟧⟧'],
  ])('refuses %s', (_name, answer) => {
    expect(unsealText(sealText('moved src/a.ts'), answer).kind).toBe('altered');
  });

  it('refuses an invented placeholder where nothing was sealed', () => {
    expect(unsealText(sealText('nothing here'), 'done ⟦1:path⟧').kind).toBe('altered');
  });
});

describe('token boundaries', () => {
  it('needs a boundary where the value ends in a word character', () => {
    expect(isTokenBoundaryMatch('id W23781567', 'W2378156')).toBe(false);
    expect(isTokenBoundaryMatch('id (W2378156)', 'W2378156')).toBe(true);
    expect(isTokenBoundaryMatch('éa', 'a')).toBe(false);
    expect(isTokenBoundaryMatch('x/y', '/y')).toBe(true);
  });

  it('takes a piece of a path or a number for another token', () => {
    expect(findWholeToken('cost 118,000', '118')).toBe(-1);
    expect(findWholeToken('in src/a.ts', 'a.ts')).toBe(-1);
    expect(findWholeToken('in src/a.ts:12.', 'src/a.ts')).toBe(3);
  });

  it('never offers an offset inside a surrogate pair', () => {
    expect(wholeCharacterOffset('a😀', 2)).toBe(1);
    expect(wholeCharacterOffset('a😀', 1)).toBe(1);
  });

  it('leaves the name of a value in clear', () => {
    const { text } = sealText('{"reservation_id": "K1NW8N", "total_price": 305} and user_id alone');
    expect(text).toBe('{"reservation_id": "⟦1:identifier⟧", "total_price": ⟦2:number⟧} and ⟦3:name⟧ alone');
  });
});
