import { pageRequest, pageView } from './page';

describe('a cursor', () => {
  it('is the position of the page before, opaque', () => {
    const { next } = pageView({ items: [1, 2], next: 'ä/7' }, (item) => item);
    expect(next).not.toContain('7');
    expect(pageRequest({ limit: 10, cursor: next ?? '' })).toEqual({ limit: 10, after: 'ä/7' });
  });

  it('is refused with a path when it is none', () => {
    expect(() => pageRequest({ limit: 10, cursor: '!!' })).toThrow(
      expect.objectContaining({ code: 'FIELD_INVALID', errors: [expect.objectContaining({ path: '/cursor' })] }),
    );
  });
});
