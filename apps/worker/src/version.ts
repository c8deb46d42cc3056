import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Version of this build, as its package says. */
export const VERSION = versionOf(readFileSync(join(__dirname, '../package.json'), 'utf8'));

function versionOf(manifest: string): string {
  const { version } = JSON.parse(manifest) as { readonly version?: unknown };
  return typeof version === 'string' ? version : '0.0.0';
}
