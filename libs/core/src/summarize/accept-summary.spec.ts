import { acceptSummary } from './accept-summary';

const request = {
  elements: [
    { id: 'e1', text: 'The build of ⟦1:path⟧ failed because ⟦2:name⟧ was missing; we will add it in the next step.' },
  ],
  maxTokens: 20,
  feedback: undefined,
};
const judge = (text: string) => acceptSummary(request, { kind: 'summary', text });

describe('acceptSummary', () => {
  it('accepts a shorter text with the placeholders of the source', () => {
    expect(judge(' ⟦1:path⟧ failed: ⟦2:name⟧ was missing. ')).toEqual({
      kind: 'accepted',
      text: '⟦1:path⟧ failed: ⟦2:name⟧ was missing.',
    });
  });

  it.each([
    ['nothing', '  '],
    ['no words', '... 12 ...'],
    ['more than the source', 'The build failed. '.repeat(20)],
    ['an invented placeholder', 'failed ⟦3:path⟧'],
    ['reasoning only', '<think>The build failed</think>'],
    ['a tool call', '{"name":"bash","arguments":{}}'],
    ['an error', 'Error: overloaded'],
    ['a refusal', "I'm sorry, but I can't help with that."],
    ['a forged mark', 'build failed [recall h_abcdef12]'],
  ])('rejects %s', (_name, text) => {
    expect(judge(text).kind).toBe('rejected');
  });

  it('passes on why a summarizer gave up', () => {
    expect(acceptSummary(request, { kind: 'rejected', reason: 'cut off' })).toEqual({
      kind: 'rejected',
      reason: 'cut off',
    });
  });
});
