import { HoldfastError } from '@holdfast/core';
import { z } from 'zod';

/** The variables of a process, as `process.env` has them. */
export type EnvironmentSource = Readonly<Record<string, string | undefined>>;

/** Thrown when the environment does not fit: names every variable that is wrong, and never its value. */
export class EnvironmentError extends HoldfastError {
  constructor(readonly problems: readonly string[]) {
    super(
      'ENVIRONMENT_INVALID',
      `The environment does not fit: ${problems.join('; ')}`,
      'Set the variables named and start again.',
    );
  }
}

/** A PostgreSQL connection URL. */
export const postgresUrl = z
  .string({ error: 'is not set' })
  .regex(
    /^postgres(ql)?:\/\/[^/]+\/.+/,
    'is no URL of a PostgreSQL database (postgresql://user:password@host:port/name)',
  );

/**
 * Parses the variables that a schema names out of `source`, by default the environment of this process. An empty variable
 * counts as not set. Throws EnvironmentError.
 */
export function readEnvironment<Schema extends z.ZodType>(
  schema: Schema,
  source: EnvironmentSource = process.env,
): z.output<Schema> {
  const set = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== undefined && value !== ''));
  const parsed = schema.safeParse(set);
  if (parsed.success) return parsed.data;
  throw new EnvironmentError(parsed.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`.trim()));
}
