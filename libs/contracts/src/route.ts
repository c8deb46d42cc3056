import type { z } from 'zod';
import type { Scope } from './api-key';
import type { ProblemCode } from './problem-codes';

export type RouteMethod = 'get' | 'put' | 'post' | 'delete';

/** One kind of answer: its media types, each with a schema where it is JSON. */
export interface RouteAnswer {
  readonly description: string;
  readonly content: Readonly<Record<string, z.ZodType | 'text' | 'bytes'>>;
}

/** One route of the API. `access` is what a key needs, or `public`. */
export interface Route {
  readonly operation: string;
  readonly method: RouteMethod;
  /** Path with `{parameters}`. */
  readonly path: string;
  readonly summary: string;
  readonly tag: string;
  readonly access: 'public' | readonly Scope[];
  readonly parameters?: Readonly<Record<string, z.ZodType>>;
  readonly query?: z.ZodObject;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: z.ZodType;
  readonly answers: Readonly<Record<number, RouteAnswer>>;
  /** Problems of this route, besides those that every route has. */
  readonly problems: readonly ProblemCode[];
}

/** Media type of JSON. */
export const JSON_TYPE = 'application/json';

/** An answer in JSON. */
export function json(description: string, schema: z.ZodType): RouteAnswer {
  return { description, content: { [JSON_TYPE]: schema } };
}

/** Problems of a route that reads a JSON body. */
export const BODY_PROBLEMS = [
  'BODY_NOT_JSON',
  'BODY_NOT_UTF8',
  'BODY_INCOMPLETE',
  'BODY_TOO_LARGE',
  'BODY_TOO_DEEP',
  'BODY_TOO_MANY_VALUES',
  'CONTENT_TYPE_UNSUPPORTED',
  'CONTENT_ENCODING_UNSUPPORTED',
  'FIELD_MISSING',
  'FIELD_UNKNOWN',
  'FIELD_WRONG_TYPE',
  'FIELD_OUT_OF_RANGE',
  'FIELD_INVALID',
] as const;

/** Problems of a route that reads a query. */
export const QUERY_PROBLEMS = ['FIELD_UNKNOWN', 'FIELD_INVALID', 'FIELD_OUT_OF_RANGE'] as const;
