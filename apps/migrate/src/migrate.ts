import type { MigrateEnvironment } from '@holdfast/config';
import { applyMigrations, ensureRuntimeLogin } from '@holdfast/persistence';

/** Applies the migrations that the database lacks and prepares the login of the other processes. May run any number of times. */
export async function migrate(environment: MigrateEnvironment, say: (line: string) => void): Promise<void> {
  const { ownerDatabaseUrl, runtimeLogin } = environment;
  const applied = await applyMigrations(ownerDatabaseUrl, {
    onProgress: ({ kind, name }) => say(`${kind} ${name}`),
  });
  say(applied.length === 0 ? 'The database is up to date.' : `Applied ${applied.length} migrations.`);
  if (runtimeLogin === undefined) return;
  await ensureRuntimeLogin(ownerDatabaseUrl, runtimeLogin);
  say(`Login ${runtimeLogin.name} is ready.`);
}
