import { isIP } from 'node:net';
import { z } from 'zod';

/** One variable of the environment: how it is read, and what people are told about it. */
export interface Variable<Schema extends z.ZodType = z.ZodType> {
  readonly schema: Schema;
  /** What it does, in sentences. */
  readonly about: string;
  /** What may stand there; completes "Set it to ...". */
  readonly expects: string;
  /** In words of the environment; null where there is none. */
  readonly defaultText: string | null;
  /** Must be set. */
  readonly isRequired: boolean;
  /** Never repeated in a message. */
  readonly isSecret: boolean;
}

interface About {
  readonly about: string;
  readonly isSecret?: boolean;
}

function described<S extends z.ZodType>(
  schema: S,
  expects: string,
  { about, isSecret = false }: About,
  defaultText: string | null = null,
  isRequired = false,
): Variable<S> {
  return { schema, about, expects, defaultText, isRequired, isSecret };
}

/** Decimal digits only: no sign, no exponent, no unit. */
export function integer(
  options: About & { readonly min: number; readonly max: number; readonly default: number },
): Variable<z.ZodType<number, string | undefined>> {
  const { min, max } = options;
  const schema = z
    .string()
    .default(String(options.default))
    .refine((text) => /^\d{1,15}$/.test(text) && Number(text) >= min && Number(text) <= max)
    .transform(Number);
  return described(schema, `an integer from ${min} to ${max}`, options, String(options.default));
}

export function flag(options: About): Variable<z.ZodType<boolean, string | undefined>> {
  const schema = z
    .enum(['0', '1', 'false', 'true'])
    .default('0')
    .transform((text) => text === '1' || text === 'true');
  return described(schema, '1 or 0', options, '0');
}

export function choice<const T extends readonly [string, ...string[]]>(
  values: T,
  options: About & { readonly default: T[number] },
): Variable<z.ZodType<T[number], string | undefined>> {
  const schema = z.string().default(options.default).pipe(z.enum(values)) as z.ZodType<T[number], string | undefined>;
  return described(schema, `one of ${values.join(', ')}`, options, options.default);
}

export function text(
  options: About & { readonly pattern: RegExp; readonly expects: string; readonly default: string },
): Variable<z.ZodType<string, string | undefined>> {
  return described(
    z
      .string()
      .default(options.default)
      .refine((value) => options.pattern.test(value)),
    options.expects,
    options,
    options.default,
  );
}

function urlOf(protocols: readonly string[]): z.ZodType<string, string> {
  return z.string().refine((value) => URL.canParse(value) && protocols.includes(new URL(value).protocol));
}

function urlExpectation(protocols: readonly string[]): string {
  return `a URL that starts with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`;
}

/** A URL holds a password, so its value is a secret. */
export function requiredUrl(protocols: readonly string[], options: About): Variable<z.ZodType<string, string>> {
  return described(urlOf(protocols), urlExpectation(protocols), { ...options, isSecret: true }, null, true);
}

export function optionalUrl(
  protocols: readonly string[],
  options: About,
): Variable<z.ZodType<string | undefined, string | undefined>> {
  return described(urlOf(protocols).optional(), urlExpectation(protocols), { ...options, isSecret: true });
}

export function secret(
  options: About & { readonly minLength: number; readonly default: string },
): Variable<z.ZodType<string, string | undefined>> {
  const expects = `at least ${options.minLength} random characters, for example of: openssl rand -hex 32`;
  const schema = z.string().min(options.minLength).default(options.default);
  return described(schema, expects, { ...options, isSecret: true });
}

export function optionalSecret(
  options: About & { readonly minLength: number },
): Variable<z.ZodType<string | undefined, string | undefined>> {
  const expects = `at least ${options.minLength} random characters, for example of: openssl rand -hex 32`;
  return described(z.string().min(options.minLength).optional(), expects, { ...options, isSecret: true });
}

/** Origins of endpoints, parted by commas. */
export function origins(options: About): Variable<z.ZodType<readonly string[], string | undefined>> {
  const schema = z
    .string()
    .default('')
    .transform(listed)
    .refine((each) => each.every((origin) => URL.canParse(origin) && new URL(origin).origin === origin));
  return described(schema, 'origins like https://llm.example, parted by commas', options, 'none');
}

function listed(text: string): readonly string[] {
  return text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
}

function isNetwork(text: string): boolean {
  const [address = '', bits = '', ...more] = text.split('/');
  const family = isIP(address);
  const most = family === 4 ? 32 : 128;
  return family !== 0 && more.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= most;
}

/** Networks in CIDR notation, parted by commas. */
export function networks(options: About): Variable<z.ZodType<readonly string[], string | undefined>> {
  const schema = z
    .string()
    .default('')
    .transform(listed)
    .refine((each) => each.every(isNetwork));
  return described(schema, 'networks like 10.20.0.0/16, parted by commas', options, 'none');
}

/** Ports, parted by commas, or every port. */
export function ports(options: About): Variable<z.ZodType<readonly number[] | 'any', string | undefined>> {
  const schema = z
    .string()
    .default('')
    .refine((text) => text === 'any' || listed(text).every((port) => /^[1-9]\d{0,4}$/.test(port) && +port <= 65_535))
    .transform((text) => (text === 'any' ? 'any' : listed(text).map(Number)));
  return described(schema, 'ports parted by commas, or any', options, 'none');
}

/** Where people find something in their browser. */
export function optionalWebAddress(options: About): Variable<z.ZodType<string | undefined, string | undefined>> {
  const schema = z
    .string()
    .refine((value) => URL.canParse(value) && ['http:', 'https:'].includes(new URL(value).protocol))
    .optional();
  return described(schema, urlExpectation(['https:', 'http:']), options);
}

/** Named secrets, as a JSON object of strings. */
export function namedSecrets(
  options: About,
): Variable<z.ZodType<Readonly<Record<string, string>>, string | undefined>> {
  const schema = z
    .string()
    .default('{}')
    .transform((text, context) => {
      try {
        return JSON.parse(text) as unknown;
      } catch {
        context.addIssue({ code: 'custom', message: 'no JSON' });
        return z.NEVER;
      }
    })
    .pipe(z.record(z.string(), z.string().min(1)));
  return described(schema, 'a JSON object of names and keys', { ...options, isSecret: true }, '{}');
}

/** A secret of a shape of its own. */
export function optionalSecretLike(
  options: About & { readonly pattern: RegExp; readonly expects: string },
): Variable<z.ZodType<string | undefined, string | undefined>> {
  const schema = z
    .string()
    .refine((value) => options.pattern.test(value))
    .optional();
  return described(schema, options.expects, { ...options, isSecret: true });
}

/** A 256-bit key under a name. */
export interface NamedKey {
  readonly name: string;
  readonly key: Uint8Array;
}

const NAMED_KEY = /^([A-Za-z0-9][\w.-]{0,63}):([A-Za-z0-9+/]{43}=)$/u;
export const NAMED_KEYS_EXPECTED =
  'keys as name:base64 of 32 bytes, the newest first, parted by commas or lines; draw one with: openssl rand -base64 32';

/** Named keys as they stand in a variable or a file; undefined when one is none or a name comes twice. */
export function parseNamedKeys(text: string): readonly NamedKey[] | undefined {
  const entries = text.split(/[\s,]+/u).filter((entry) => entry !== '');
  const keys = entries.flatMap((entry): NamedKey[] => {
    const [, name, encoded] = NAMED_KEY.exec(entry) ?? [];
    return name === undefined || encoded === undefined ? [] : [{ name, key: Buffer.from(encoded, 'base64') }];
  });
  const names = new Set(keys.map(({ name }) => name));
  return keys.length === entries.length && keys.length > 0 && names.size === keys.length ? keys : undefined;
}

export function namedKeys(options: About): Variable<z.ZodType<readonly NamedKey[], string | undefined>> {
  const schema = z
    .string()
    .optional()
    .transform((text, context) => {
      if (text === undefined) return [];
      const keys = parseNamedKeys(text);
      if (keys !== undefined) return keys;
      context.addIssue({ code: 'custom', message: 'no keys' });
      return z.NEVER;
    });
  return described(schema, NAMED_KEYS_EXPECTED, { ...options, isSecret: true });
}

export function optionalPath(options: About): Variable<z.ZodType<string | undefined, string | undefined>> {
  return described(z.string().optional(), 'the path of a file', options);
}
