import { pageRequest, pageView } from './page';

describe('a cursor', () => {
  it('is the position of the page before, opaque', () => {
    const { next } = pageView({ items: [1, 2], next: 'bot@7' }, (item) => item);
    expect(next).not.toContain('7');
    expect(pageRequest({ limit: 10, cursor: next ?? '' }, 'name')).toEqual({ limit: 10, after: 'bot@7' });
  });

  it.each([
    ['no base64url', '!!', 'name'],
    ['a name where a number belongs', Buffer.from('bot').toString('base64url'), 'number'],
    ['a number where an id belongs', Buffer.from('7').toString('base64url'), 'id'],
    ['control characters', Buffer.from('a\nb').toString('base64url'), 'name'],
  ] as const)('is refused with a path when it is none: %s', (_, cursor, positions) => {
    expect(() => pageRequest({ limit: 10, cursor }, positions)).toThrow(
      expect.objectContaining({ code: 'FIELD_INVALID', errors: [expect.objectContaining({ path: '/cursor' })] }),
    );
  });
});
