import { z } from 'zod';
import { agentIdSchema, handleSchema, sessionNameSchema, sha256Schema } from './scalars';

/** Most matches that one search answers with. */
export const MAX_RECALL_MATCHES = 200;

const recallQueryFields = z.strictObject({
  agent: agentIdSchema,
  session: sessionNameSchema,
  lines: z
    .string()
    .regex(/^[1-9][0-9]{0,8}-[1-9][0-9]{0,8}$/u)
    .optional()
    .meta({ description: 'First and last line, counted from 1: `10-25`.' }),
  bytes: z
    .string()
    .regex(/^(?:0|[1-9][0-9]{0,9})-(?:0|[1-9][0-9]{0,9})$/u)
    .optional()
    .meta({
      description: 'First and last byte of the archived UTF-8, counted from 0: `0-999`. Shortened to whole characters.',
    }),
  query: z
    .string()
    .min(1)
    .max(500)
    .optional()
    .meta({ description: 'Text to find, as it stands; answers with the lines that hold it.' }),
});

export const recallQuerySchema = recallQueryFields.refine(
  ({ lines, bytes, query }) => [lines, bytes, query].filter((part) => part !== undefined).length <= 1,
  { path: ['bytes'], error: 'lines, bytes and query go one at a time' },
);
export type RecallQuery = z.infer<typeof recallQuerySchema>;

/** `Accept: application/json`: the text, with escapes for what UTF-8 cannot say. */
export const recalledTextSchema = z
  .strictObject({
    handle: handleSchema,
    sha256: sha256Schema.meta({ description: 'Of the archived bytes of the whole original.' }),
    element_id: z.string(),
    label: z.string(),
    tokens: z.int(),
    lines: z.strictObject({ first: z.int(), last: z.int(), total: z.int() }),
    bytes: z
      .strictObject({ first: z.int(), last: z.int(), total: z.int() })
      .meta({ description: 'Where `text` stands in the archived bytes; `last` is before `first` for an empty text.' }),
    text: z.string(),
  })
  .meta({ id: 'RecalledText' });
export type RecalledText = z.infer<typeof recalledTextSchema>;

export const recallMatchesSchema = z
  .strictObject({
    handle: handleSchema,
    sha256: sha256Schema,
    query: z.string(),
    total_lines: z.int(),
    matches: z.array(z.strictObject({ line: z.int().min(1), text: z.string() })),
    more: z.boolean().meta({ description: `More than ${MAX_RECALL_MATCHES} lines hold the text.` }),
  })
  .meta({ id: 'RecallMatches' });
export type RecallMatches = z.infer<typeof recallMatchesSchema>;
