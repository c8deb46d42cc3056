import { z } from 'zod';
import { EnvironmentError, type EnvironmentProblem } from './environment-error';
import type { Variable } from './variable';
import { SAMPLE_KEY_PEPPER } from './variables';

/** The environment of a process, as Node.js gives it. */
export type Environment = Readonly<Record<string, string | undefined>>;

type Variables = Readonly<Record<string, Variable>>;
type Values<V extends Variables> = { readonly [K in keyof V]: z.infer<V[K]['schema']> };

/** Passwords that stand in examples all over the world. */
const SAMPLE_PASSWORDS = new Set([
  'postgres',
  'password',
  'changeme',
  'secret',
  'redis',
  'holdfast',
  'example',
  'admin',
  'test',
]);

/** The one schema of a process, made of its variables. */
export function schemaOf<V extends Variables>(variables: V): z.ZodType<Values<V>> {
  const shape = Object.fromEntries(Object.entries(variables).map(([name, variable]) => [name, variable.schema]));
  return z.object(shape) as unknown as z.ZodType<Values<V>>;
}

/**
 * Reads the variables of one process. What is set to nothing counts as unset. Throws {@link EnvironmentError} with every
 * variable that cannot be used.
 */
export function readEnvironment<V extends Variables>(
  process: string,
  variables: V,
  environment: Environment,
): Values<V> {
  const given: Record<string, string> = {};
  for (const name of Object.keys(variables)) {
    const value = environment[name]?.trim();
    if (value !== undefined && value !== '') given[name] = value;
  }
  const parsed = schemaOf(variables).safeParse(given);
  const problems = parsed.success ? [] : parsed.error.issues.map((issue) => problemOf(issue, variables, given));
  problems.push(...contradictions(variables, given));
  if (!parsed.success || problems.length > 0) throw new EnvironmentError(process, problems);
  return parsed.data;
}

function problemOf(issue: z.core.$ZodIssue, variables: Variables, given: Environment): EnvironmentProblem {
  const name = String(issue.path[0]);
  const variable = variables[name];
  const value = given[name];
  const remedy = `Set it to ${variable?.expects ?? 'a valid value'}`;
  if (value === undefined) return { variable: name, problem: 'is not set', remedy };
  return {
    variable: name,
    problem:
      variable?.isSecret === false
        ? `cannot be ${JSON.stringify(value.slice(0, 80))}`
        : 'cannot be read (its value is secret)',
    remedy,
  };
}

/** What each variable allows, but not together. */
function contradictions(variables: Variables, given: Environment): EnvironmentProblem[] {
  const problems: EnvironmentProblem[] = [];
  const has = (name: string): boolean => Object.hasOwn(variables, name);
  const textOf = (name: string): string | undefined => given[name] ?? variables[name]?.defaultText ?? undefined;

  if (has('REDIS_URL') && textOf('QUEUE_BACKEND') === 'redis' && given['REDIS_URL'] === undefined) {
    problems.push({
      variable: 'REDIS_URL',
      problem: 'is not set, but QUEUE_BACKEND is redis',
      remedy: 'Set it, or QUEUE_BACKEND to postgres',
    });
  }
  const port = textOf('PORT');
  if (has('METRICS_PORT') && port !== '0' && port === textOf('METRICS_PORT')) {
    problems.push({
      variable: 'METRICS_PORT',
      problem: 'is the same as PORT',
      remedy: 'Set it to another port: metrics do not belong on the public one',
    });
  }
  if (Number(textOf('RELAY_BUSY_INTERVAL_MS')) > Number(textOf('RELAY_IDLE_INTERVAL_MS'))) {
    problems.push({
      variable: 'RELAY_BUSY_INTERVAL_MS',
      problem: 'is longer than RELAY_IDLE_INTERVAL_MS',
      remedy: 'Set it to at most that',
    });
  }
  if (given['ENCRYPTION_KEYS'] !== undefined && given['ENCRYPTION_KEYS_FILE'] !== undefined) {
    problems.push({
      variable: 'ENCRYPTION_KEYS_FILE',
      problem: 'is set, and ENCRYPTION_KEYS too',
      remedy: 'Set one of the two',
    });
  }
  if (textOf('NODE_ENV') === 'production') problems.push(...samples(variables, given));
  return problems;
}

function samples(variables: Variables, given: Environment): EnvironmentProblem[] {
  const problems: EnvironmentProblem[] = [];
  const pepper = variables['KEY_PEPPER'];
  if (pepper !== undefined && [undefined, SAMPLE_KEY_PEPPER].includes(given['KEY_PEPPER'])) {
    problems.push({
      variable: 'KEY_PEPPER',
      problem: 'is the sample of this repository, which everybody knows',
      remedy: `Set it to ${pepper.expects}`,
    });
  }
  const keys = variables['ENCRYPTION_KEYS'];
  if (keys !== undefined && given['ENCRYPTION_KEYS'] === undefined && given['ENCRYPTION_KEYS_FILE'] === undefined) {
    problems.push({
      variable: 'ENCRYPTION_KEYS',
      problem: 'is not set, so stored content would not be encrypted',
      remedy: `Set it, or ENCRYPTION_KEYS_FILE, to ${keys.expects}`,
    });
  }
  for (const name of ['DATABASE_URL', 'QUEUE_DATABASE_URL', 'REDIS_URL']) {
    const value = given[name];
    if (value === undefined || !URL.canParse(value) || variables[name] === undefined) continue;
    if (SAMPLE_PASSWORDS.has(new URL(value).password.toLowerCase())) {
      problems.push({
        variable: name,
        problem: 'holds a password of examples',
        remedy: 'Give the server a random password and set it here',
      });
    }
  }
  return problems;
}
