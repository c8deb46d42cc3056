import { z } from 'zod';
import { timeSchema } from './scalars';

export const dataKeySchema = z
  .strictObject({
    version: z.int().min(1),
    wrapped_by: z.string().nullable().meta({ description: "Name of the operator's key; null once erased." }),
    created_at: timeSchema,
    retired_at: timeSchema.nullable().meta({ description: 'Since when nothing new is encrypted with it.' }),
  })
  .meta({ id: 'DataKey' });
export type DataKeyResponse = z.infer<typeof dataKeySchema>;
export const dataKeyListSchema = z.strictObject({ items: z.array(dataKeySchema) }).meta({ id: 'DataKeyList' });
