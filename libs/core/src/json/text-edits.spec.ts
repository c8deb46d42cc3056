import fc from 'fast-check';
import { TextEditError, applyEdits, type TextEdit } from './text-edits';

describe('applyEdits', () => {
  it('leaves the text as it is without edits', () => {
    expect(applyEdits('abc', [])).toBe('abc');
  });

  it('replaces, inserts and deletes by place, in whatever order the edits come', () => {
    const edits: TextEdit[] = [
      { start: 4, end: 6, replacement: '' },
      { start: 0, end: 1, replacement: 'A' },
      { start: 6, end: 6, replacement: '<' },
      { start: 6, end: 6, replacement: '>' },
      { start: 0, end: 0, replacement: '^' },
    ];
    expect(applyEdits('abcdef', edits)).toBe('^Abcd<>');
  });

  it('keeps everything between the edits', () => {
    const pieces = fc.array(fc.tuple(fc.string({ unit: 'binary' }), fc.string(), fc.string()));
    fc.assert(
      fc.property(pieces, (triples) => {
        let text = '';
        const edits = triples.map(([kept, removed, replacement]) => {
          const start = text.length + kept.length;
          text += kept + removed;
          return { start, end: start + removed.length, replacement };
        });
        expect(applyEdits(text, edits)).toBe(triples.map(([kept, , replacement]) => kept + replacement).join(''));
      }),
    );
  });

  it.each([
    ['TEXT_EDIT_OVERLAP', [0, 3], [2, 4]],
    ['TEXT_EDIT_OVERLAP', [0, 3], [1, 1]],
    ['TEXT_EDIT_OVERLAP', [1, 2], [1, 2]],
    ['TEXT_EDIT_OUT_OF_RANGE', [0, 1], [4, 7]],
    ['TEXT_EDIT_OUT_OF_RANGE', [0, 1], [3, 2]],
    ['TEXT_EDIT_OUT_OF_RANGE', [-1, 1], [3, 3]],
  ] as const)('throws %s for %j and %j', (code, first, second) => {
    const edits = [first, second].map(([start, end]) => ({ start, end, replacement: 'x' }));
    const apply = (): string => applyEdits('abcdef', edits);
    expect(apply).toThrow(TextEditError);
    expect(apply).toThrow(expect.objectContaining({ code }));
  });
});
