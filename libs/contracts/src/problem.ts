import { z } from 'zod';
import { PROBLEM_CODES } from './problem-codes';

export const PROBLEM_MEDIA_TYPE = 'application/problem+json';

export const PROBLEM_PLACES = ['body', 'query', 'path', 'header'] as const;

/** One thing that is wrong with a request. */
export const requestErrorSchema = z.strictObject({
  code: z.enum(PROBLEM_CODES),
  path: z
    .string()
    .meta({ description: 'JSON pointer into the part of the request that `in` names; empty for all of it.' }),
  in: z.enum(PROBLEM_PLACES),
  message: z.string(),
});
export type RequestError = z.infer<typeof requestErrorSchema>;

/** A problem (RFC 9457). `code` is the code of the first error, where there are errors. */
export const problemSchema = z
  .strictObject({
    type: z.string().meta({ description: '`urn:holdfast:problem:` and the code.' }),
    title: z.string(),
    status: z.int().min(400).max(599),
    detail: z.string(),
    instance: z.string(),
    code: z.enum(PROBLEM_CODES),
    remedy: z.string().meta({ description: 'What the caller can do about it.' }),
    retryable: z.boolean().meta({ description: 'The same request may succeed later.' }),
    errors: z.array(requestErrorSchema),
    request_id: z.string(),
  })
  .meta({ id: 'Problem', description: 'RFC 9457 problem details.' });
export type Problem = z.infer<typeof problemSchema>;
