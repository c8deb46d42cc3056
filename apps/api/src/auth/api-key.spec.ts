import { crc32 } from 'node:zlib';
import { createApiKey, displayOf, hashSecret, isEqual, parseApiKey } from './api-key';

describe('an API key', () => {
  it('is read back as what was made', () => {
    const key = createApiKey('live');
    expect(key.text).toMatch(/^hf_live_[0-9A-Za-z]{50}$/);
    expect(parseApiKey(key.text)).toEqual(key);
  });

  it('never comes twice', () => {
    const keys = Array.from({ length: 200 }, () => createApiKey('test').text);
    expect(new Set(keys).size).toBe(200);
  });

  it('is none with any one character changed, or cut, or longer', () => {
    const { text } = createApiKey('test');
    for (let at = 'hf_test_'.length; at < text.length; at += 1) {
      const other = text.charAt(at) === 'a' ? 'b' : 'a';
      expect(parseApiKey(text.slice(0, at) + other + text.slice(at + 1))).toBeUndefined();
    }
    expect(parseApiKey(text.slice(0, -1))).toBeUndefined();
    expect(parseApiKey(`${text}0`)).toBeUndefined();
    expect(parseApiKey(text.replace('hf_test_', 'hf_live_'))).toBeUndefined();
  });

  it('shows little of itself', () => {
    const key = createApiKey('live');
    expect(displayOf(key)).not.toContain(key.secret.slice(0, 28));
    expect(displayOf(key)).toHaveLength('hf_live_'.length + 4 + 1 + 4);
  });

  it('is hashed with the pepper', () => {
    expect(hashSecret('s', 'p')).toEqual(hashSecret('s', 'p'));
    expect(isEqual(hashSecret('s', 'p'), hashSecret('s', 'q'))).toBe(false);
    expect(isEqual(hashSecret('s', 'p'), Buffer.alloc(3))).toBe(false);
  });

  it('has a checksum over everything before it', () => {
    const { text } = createApiKey('live');
    const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
    const value = [...text.slice(-6)].reduce((sum, character) => sum * 62 + alphabet.indexOf(character), 0);
    expect(value).toBe(crc32(text.slice(0, -6)));
  });
});
