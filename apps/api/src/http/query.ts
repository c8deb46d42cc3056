import type { z } from 'zod';
import { fieldErrors } from '../problems/field-errors';
import { requestProblem } from '../problems/api-problem';

/** Checks the query of a request; a name that the route does not know is an error, so that a slip is not ignored. */
export function readQuery<Schema extends z.ZodType>(query: unknown, schema: Schema): z.output<Schema> {
  const plain = { ...(query as Record<string, unknown>) };
  const checked = schema.safeParse(plain);
  if (!checked.success) throw requestProblem(fieldErrors(checked.error, plain, 'query'));
  return checked.data;
}
