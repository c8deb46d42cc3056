import { derivedId, newId } from './uuid';

describe('ids', () => {
  it('are UUIDv7 that differ', () => {
    const ids = Array.from({ length: 1_000 }, newId);
    expect(new Set(ids).size).toBe(1_000);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it('derived from the same words are the same, and no other words give them', () => {
    expect(derivedId('pass', '7')).toBe(derivedId('pass', '7'));
    expect(derivedId('pass', '7')).not.toBe(derivedId('pas', 's7'));
    expect(derivedId('a')).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });
});
