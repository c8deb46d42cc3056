import { z } from 'zod';
import { type EnvironmentSource, postgresUrl, readEnvironment } from './environment';

/** What the one-shot migration needs: the owner's way to the database, and the login to prepare for the other processes. */
export interface MigrateEnvironment {
  readonly ownerDatabaseUrl: string;
  /** Absent where an administrator made the login. */
  readonly runtimeLogin: { readonly name: string; readonly password: string } | undefined;
}

const SHORTEST_PASSWORD = 16;

const schema = z.object({
  DATABASE_URL: postgresUrl,
  RUNTIME_DATABASE_LOGIN: z.string().default('holdfast_runtime'),
  RUNTIME_DATABASE_PASSWORD: z
    .string()
    .min(SHORTEST_PASSWORD, `is shorter than ${SHORTEST_PASSWORD} characters`)
    .optional(),
});

/**
 * Reads DATABASE_URL (of the schema's owner), RUNTIME_DATABASE_LOGIN and RUNTIME_DATABASE_PASSWORD; without a password no
 * login is prepared. Throws EnvironmentError.
 */
export function readMigrateEnvironment(source?: EnvironmentSource): MigrateEnvironment {
  const variables = readEnvironment(schema, source);
  const password = variables.RUNTIME_DATABASE_PASSWORD;
  return {
    ownerDatabaseUrl: variables.DATABASE_URL,
    runtimeLogin: password === undefined ? undefined : { name: variables.RUNTIME_DATABASE_LOGIN, password },
  };
}
