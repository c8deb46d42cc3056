import { rendered, windowOf } from '../../test/windows';
import { replaceLoneSurrogatesInJson } from './lone-surrogates';

const block = { beforeMessage: 0, role: 'user', text: 'cut \ud83d here', id: 'b' } as const;
const SOURCE = '[{"id":"e1","role":"user","content":"half \\ud83d, whole \\ud83d\\ude00, NUL \\u0000, \\\\ud83d"}]';

describe('half a surrogate pair', () => {
  it('leaves a provider window visibly replaced; pairs, NUL and escaped backslashes stay', () => {
    expect(rendered(windowOf('openai-chat', SOURCE), { inserted: [block] })).toBe(
      '[{"role":"user","content":"cut \ufffd here"},' + SOURCE.slice(1).replace('half \\ud83d', 'half \\ufffd'),
    );
  });

  it('stays in untouched elements of the native format', () => {
    const output = rendered(windowOf('elements', SOURCE), { inserted: [block] });
    expect(output.endsWith(SOURCE.slice(1))).toBe(true);
    expect(output.startsWith('[{"id":"b","role":"user","content":"cut \ufffd here","holdfast":"block"}')).toBe(true);
  });

  it.each([
    ['"\\uD83D"', '"\\ufffd"'],
    ['"\\ude00\\ud83d"', '"\\ufffd\\ufffd"'],
    ['"\\ud83d\\ud83d\\ude00"', '"\\ufffd\\ud83d\\ude00"'],
    ['"\ud83d\\ude00"', '"\ud83d\\ude00"'],
    ['"\ud83d-"', '"\ufffd-"'],
    ['"\\\\ud83d"', '"\\\\ud83d"'],
  ])('replaces only what is alone in %j', (json, expected) => {
    expect(replaceLoneSurrogatesInJson(json)).toBe(expected);
  });
});
