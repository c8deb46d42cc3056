import { join } from 'node:path';

/** Root of the repository: this file lies in apps/embedded/src or apps/embedded/dist. */
export const WORKSPACE = join(__dirname, '..', '..', '..');

/** Entry of another process of the platform, as the build leaves it. */
export function entryOf(app: 'api' | 'worker' | 'migrate', file = 'main.js'): string {
  return join(WORKSPACE, 'apps', app, 'dist', file);
}

export function fixture(...path: string[]): string {
  return join(WORKSPACE, 'fixtures', ...path);
}
