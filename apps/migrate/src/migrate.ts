import type { MigrateConfig } from '@holdfast/config';
import { applyMigrations, ensureRuntimeLogin } from '@holdfast/persistence';
import { migrateQueueSchema } from '@holdfast/queue';

/**
 * Makes a database ready for this build: its schema, the login that API and worker use, and the queue's schema where jobs
 * wait in PostgreSQL. May run any number of times, also several at once.
 */
export async function migrate(config: MigrateConfig, say: (line: string) => void): Promise<void> {
  const { ownerDatabaseUrl, runtimeLogin, queue } = config;
  const applied = await applyMigrations(ownerDatabaseUrl, {
    onProgress: ({ kind, name }) => say(`${kind} ${name}`),
  });
  say(applied.length === 0 ? 'The schema is up to date.' : `Applied ${applied.length} migrations.`);
  if (runtimeLogin !== undefined) {
    await ensureRuntimeLogin(ownerDatabaseUrl, runtimeLogin);
    say(`The login ${runtimeLogin.name} is ready.`);
  }
  if (queue.kind === 'postgres') {
    await migrateQueueSchema({
      connectionString: queue.connectionString,
      ...(runtimeLogin === undefined ? {} : { grantTo: runtimeLogin.name }),
    });
    say('The queue in PostgreSQL is ready.');
  }
}
