import { type Problem, PROBLEM_MEDIA_TYPE, problemSchema } from '@holdfast/contracts';
import type { z } from 'zod';

export interface Sent {
  readonly key?: string;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
  readonly text: string;
}

/** Sends a request as any client would. */
export async function send(
  url: string,
  method: string,
  path: string,
  { key, body, headers }: Sent = {},
): Promise<Answer> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, bytes, text: bytes.toString('utf8') };
}

/** The body of an answer, checked against its contract: a field too many fails too. */
export function read<Schema extends z.ZodType>(answer: Answer, schema: Schema, status = 200): z.output<Schema> {
  if (answer.status !== status) throw new Error(`Expected ${status}, got ${answer.status}: ${answer.text}`);
  return schema.parse(JSON.parse(answer.text));
}

/** The problem of an answer, checked against its contract. */
export function problemIn(answer: Answer): Problem {
  expect(answer.headers.get('content-type')).toBe(PROBLEM_MEDIA_TYPE);
  const problem = problemSchema.parse(JSON.parse(answer.text));
  expect(problem.status).toBe(answer.status);
  expect(answer.text).not.toMatch(/\bat .*\.[jt]s:\d+/);
  return problem;
}

/** Code and paths of a problem, short: `422 FIELD_MISSING /agent`. */
export function shortProblem(answer: Answer): string {
  const { status, code, errors } = problemIn(answer);
  return [status, code, ...errors.map(({ path }) => path)].join(' ').trimEnd();
}
