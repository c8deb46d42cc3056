import { z } from 'zod';
import { agentIdSchema, handleSchema, sessionNameSchema, sha256Schema } from './scalars';

/** Most matches that one search answers with. */
export const MAX_RECALL_MATCHES = 200;

export const recallQuerySchema = z.strictObject({
  agent: agentIdSchema,
  session: sessionNameSchema,
  lines: z
    .string()
    .regex(/^[1-9][0-9]{0,8}-[1-9][0-9]{0,8}$/u)
    .optional()
    .meta({ description: 'First and last line, counted from 1: `10-25`.' }),
  query: z
    .string()
    .min(1)
    .max(500)
    .optional()
    .meta({ description: 'Text to find, as it stands; answers with the lines that hold it.' }),
});
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
