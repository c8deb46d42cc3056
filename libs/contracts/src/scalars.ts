import { z } from 'zod';

/** An agent's name, chosen by its owner; stands in paths. */
export const agentIdSchema = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._:@-]{0,199}$/u)
  .meta({ description: 'Name of an agent: letters, digits, `.`, `_`, `:`, `@` and `-`, at most 200.' });

/** The caller's own id of a session; percent-encoded in paths. */
export const sessionNameSchema = z
  .string()
  .regex(/^(?!\.{1,2}$)[^\p{Cc}\p{Cs}]{1,200}$/u)
  .meta({ description: "The caller's own id of a session: 1 to 200 characters, no control characters." });

export const idSchema = z.uuid().meta({ description: 'A UUID.' });
export const timeSchema = z.iso
  .datetime({ offset: true })
  .meta({ description: "ISO 8601, from the database's clock." });
export const sha256Schema = z.string().regex(/^[0-9a-f]{64}$/u);
export const handleSchema = z
  .string()
  .regex(/^h_[0-9a-z]{6,32}$/u)
  .meta({ description: 'The way back to an original, as a window shows it in `[recall h_...]`.' });

/** Far above any model's window, and far below what a number can hold exactly. */
const MOST_TOKENS = 1_000_000_000;
export const tokenCountSchema = z.int().min(0).max(MOST_TOKENS);
export const tokenLimitSchema = z.int().min(1).max(MOST_TOKENS);
export const versionSchema = z.int().min(0);

/** Counts of a closed table of terms, every term named. */
export function countsOf<const Terms extends readonly [string, ...string[]]>(
  terms: Terms,
): z.ZodRecord<z.ZodEnum<{ [Term in Terms[number]]: Term }>, z.ZodInt> {
  return z.record(z.enum(terms), z.int().min(0) as z.ZodInt);
}

/** Most items of a page. */
export const MAX_PAGE_LIMIT = 200;
export const DEFAULT_PAGE_LIMIT = 50;

/** Query of a list. `cursor` is `next` of the page before. */
export const pageQuerySchema = z.strictObject({
  limit: z.coerce.number().int().min(1).max(MAX_PAGE_LIMIT).default(DEFAULT_PAGE_LIMIT),
  cursor: z.string().min(1).max(1_000).optional(),
});

/** One page of a list; `next` is null on the last. */
export function pageOf<Item extends z.ZodType>(
  item: Item,
): z.ZodObject<{ items: z.ZodArray<Item>; next: z.ZodNullable<z.ZodString> }, z.core.$strict> {
  return z.strictObject({ items: z.array(item), next: z.string().nullable() });
}
