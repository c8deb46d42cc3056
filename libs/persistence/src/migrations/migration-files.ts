import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PersistenceError } from '../persistence-error';

export interface MigrationFile {
  /** Name of its folder; migrations are applied in the order of these names. */
  readonly name: string;
  readonly sql: string;
  /** sha256 of the file in lower-case hex, as Prisma keeps it. */
  readonly checksum: string;
}

/** The folder prisma/migrations next to this library or in a folder above it: in the sources, a build or an image. */
function findMigrationsDir(): string {
  for (let folder = __dirname; ; folder = dirname(folder)) {
    const candidate = join(folder, 'prisma', 'migrations');
    if (existsSync(join(candidate, 'migration_lock.toml'))) return candidate;
    if (folder === dirname(folder)) {
      throw new PersistenceError('MIGRATIONS_NOT_FOUND', `There is no prisma/migrations above ${__dirname}`);
    }
  }
}

/** Reads the migrations that this build brings, in order. */
export async function readMigrationFiles(migrationsDir = findMigrationsDir()): Promise<MigrationFile[]> {
  const entries = await readdir(migrationsDir, { withFileTypes: true }).catch((error: unknown) => {
    throw new PersistenceError('MIGRATIONS_NOT_FOUND', `${migrationsDir} cannot be read`, error);
  });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(
    names.sort().map(async (name) => {
      const content = await readFile(join(migrationsDir, name, 'migration.sql'));
      const checksum = createHash('sha256').update(content).digest('hex');
      return { name, sql: content.toString('utf8'), checksum };
    }),
  );
}
