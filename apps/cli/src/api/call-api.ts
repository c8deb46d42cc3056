import { problemSchema } from '@holdfast/contracts';
import { CliError } from '../cli-error';

const DEFAULT_URL = 'http://127.0.0.1:3001';
const TIMEOUT_MS = 30_000;

/** Where the API is and who calls: options win over the environment. */
export interface ApiAccess {
  readonly url?: string | undefined;
  readonly key?: string | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;
type Query = Readonly<Record<string, string | undefined>>;

/** Asks a running API for JSON. What it refuses, and that it is not there, is a CliError with what to do about it. */
export async function callApi(
  environment: Environment,
  access: ApiAccess,
  path: string,
  query: Query,
): Promise<unknown> {
  const { bytes, origin, status } = await ask(environment, access, path, query);
  const body = jsonOf(bytes);
  if (body === undefined) throw notOurs(origin, status);
  return body;
}

/** Sends JSON to a running API and answers its JSON. Errors as {@link callApi}. */
export async function postToApi(
  environment: Environment,
  access: ApiAccess,
  path: string,
  body: unknown,
): Promise<unknown> {
  const { bytes, origin, status } = await ask(environment, access, path, {}, JSON.stringify(body));
  const answer = jsonOf(bytes);
  if (answer === undefined) throw notOurs(origin, status);
  return answer;
}

/** Asks a running API for bytes, as they are. Errors as {@link callApi}. */
export async function callApiForBytes(
  environment: Environment,
  access: ApiAccess,
  path: string,
  query: Query = {},
): Promise<Uint8Array> {
  return (await ask(environment, access, path, query)).bytes;
}

interface Answer {
  readonly bytes: Uint8Array;
  readonly origin: string;
  readonly status: number;
}

async function ask(
  environment: Environment,
  access: ApiAccess,
  path: string,
  query: Query,
  body?: string,
): Promise<Answer> {
  const base = access.url ?? environment['HOLDFAST_URL'] ?? DEFAULT_URL;
  const key = access.key ?? environment['HOLDFAST_API_KEY'];
  if (key === undefined || key === '') {
    throw new CliError('An API key is needed: --key KEY, or HOLDFAST_API_KEY in the environment.', 2);
  }
  if (!URL.canParse(path, base) || !/^https?:/u.test(base)) throw new CliError(`--url: "${base}" is no address.`, 2);
  const url = new URL(path, base);
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value);
  const sent = body === undefined ? {} : { method: 'POST', body };
  const headers = {
    ...{ authorization: `Bearer ${key}`, accept: 'application/json' },
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  };
  let response: Response;
  let bytes: Uint8Array;
  try {
    response = await fetch(url, { ...sent, headers, signal: AbortSignal.timeout(TIMEOUT_MS) });
    bytes = new Uint8Array(await response.arrayBuffer());
  } catch (error) {
    throw new CliError(`No API answers at ${url.origin} (${reasonOf(error)}). Is it running? --url names another.`);
  }
  if (response.ok) return { bytes, origin: url.origin, status: response.status };
  const problem = problemSchema.safeParse(jsonOf(bytes));
  if (problem.success) {
    const { code, detail, remedy } = problem.data;
    throw new CliError(`The API says ${code}: ${detail.replace(/\.$/u, '')}. ${remedy}`);
  }
  throw notOurs(url.origin, response.status);
}

function notOurs(origin: string, status: number): CliError {
  return new CliError(`${origin} answered ${status}, and not as an API of Holdfast does.`);
}

function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as unknown;
  } catch {
    return undefined;
  }
}

/** `connect ECONNREFUSED 127.0.0.1:3001` stands in the cause of a fetch that failed. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return `nothing came within ${TIMEOUT_MS / 1_000} seconds`;
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  return cause.message === '' && 'code' in cause ? String(cause.code) : cause.message;
}
