import { mkdtempSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEncryptionKeys } from './encryption-keys';

describe('the key of stored content', () => {
  it('is drawn once, and nobody else may read it', () => {
    const encryptionKeys = join(mkdtempSync(join(tmpdir(), 'holdfast-embedded-')), 'encryption.keys');
    expect(openEncryptionKeys({ encryptionKeys })).toBe(encryptionKeys);
    const drawn = readFileSync(encryptionKeys, 'utf8');
    expect(drawn).toMatch(/^local-[0-9a-f]{8}:[A-Za-z0-9+/]{43}=\n$/u);
    expect(statSync(encryptionKeys).mode & 0o777).toBe(0o600);
    openEncryptionKeys({ encryptionKeys });
    expect(readFileSync(encryptionKeys, 'utf8')).toBe(drawn);
  });

  it('says where it cannot be written', () => {
    expect(() => openEncryptionKeys({ encryptionKeys: '/nowhere/encryption.keys' })).toThrow(
      '/nowhere/encryption.keys',
    );
  });
});
