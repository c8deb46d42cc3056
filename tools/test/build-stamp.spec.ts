import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { forgetBuild, hasOutputs, isBuilt, rememberBuild, sourceStamp } from '../start/build-stamp.mjs';

let root: string;

function write(path: string, text = ''): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'holdfast-stamp-'));
  for (const app of ['api', 'worker', 'migrate', 'embedded', 'cli']) {
    write(`apps/${app}/src/main.ts`, 'source');
    write(`apps/${app}/dist/main.js`, 'output');
  }
  write('libs/core/src/index.ts', 'source');
  write('prisma/schema.prisma', 'schema');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe('what npm start knows of the last build', () => {
  it('is nothing before the first one', () => {
    expect(isBuilt(root, sourceStamp(root))).toBe(false);
  });

  it('holds while the sources stay as they are', () => {
    rememberBuild(root, sourceStamp(root));
    expect(isBuilt(root, sourceStamp(root))).toBe(true);
  });

  it.each([
    ['a source is changed', () => write('libs/core/src/index.ts', 'another source')],
    ['a source is added', () => write('apps/api/src/routes/new.ts')],
    ['the schema is changed', () => write('prisma/schema.prisma', 'another schema')],
    ['a process was not compiled', () => rmSync(join(root, 'apps/worker/dist/main.js'))],
  ])('ends when %s', (_, change) => {
    rememberBuild(root, sourceStamp(root));
    change();
    expect(isBuilt(root, sourceStamp(root))).toBe(false);
  });

  it.each([
    ['a test', 'libs/core/src/index.spec.ts'],
    ['an output', 'apps/api/dist/other.js'],
  ])('does not look at %s', (_, path) => {
    rememberBuild(root, sourceStamp(root));
    write(path, 'text');
    expect(isBuilt(root, sourceStamp(root))).toBe(true);
  });

  it('can be forgotten with its outputs, the sources left alone', () => {
    forgetBuild(root);
    expect(hasOutputs(root)).toBe(false);
    expect(existsSync(join(root, 'apps/api/src/main.ts'))).toBe(true);
  });
});
