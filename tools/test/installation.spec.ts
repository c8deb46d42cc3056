import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isInstalled, nodeObjection } from '../workspace/installation.mjs';

const folder = mkdtempSync(join(tmpdir(), 'holdfast-install-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(file: string, packages: Record<string, object>): void {
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  writeFileSync(join(folder, file), JSON.stringify({ packages }));
}

describe('isInstalled', () => {
  it('is false before the first install', () => {
    write('package-lock.json', { 'node_modules/a': { version: '1.0.0' } });
    expect(isInstalled(folder)).toBe(false);
  });

  it('is true when node_modules matches the lock, packages for other platforms aside', () => {
    write('package-lock.json', {
      '': {},
      'libs/x': { version: '0.1.0' },
      'node_modules/a': { version: '1.0.0' },
      'node_modules/a-darwin': { version: '1.0.0', optional: true },
    });
    write('node_modules/.package-lock.json', { 'node_modules/a': { version: '1.0.0' } });
    expect(isInstalled(folder)).toBe(true);
  });

  it('is false when the lock moved on', () => {
    write('package-lock.json', { 'node_modules/a': { version: '1.0.1' } });
    expect(isInstalled(folder)).toBe(false);
  });
});

describe('nodeObjection', () => {
  it('names the oldest Node.js that serves', () => {
    expect(nodeObjection('18.20.0')).toContain('20.19');
    expect(nodeObjection('20.18.3')).toContain('20.18.3');
    expect(nodeObjection('20.19.0')).toBeUndefined();
    expect(nodeObjection('24.1.0')).toBeUndefined();
  });
});
