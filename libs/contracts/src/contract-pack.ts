import { z } from 'zod';
import { toolContractsSchema } from './tool-contract';

const packName = z.string().min(1).max(100);
const packPrefix = z
  .string()
  .max(100)
  .meta({ description: "What stands in front of the agent's tool names: `mcp__github__`." });

/** A pack that the owner confirms for an agent. */
export const confirmedPackSchema = z.strictObject({ name: packName, prefix: packPrefix.default('') });

/** A pack as it was confirmed. */
export const packInForceSchema = z.strictObject({ name: packName, version: z.int().min(1), prefix: packPrefix });

export const packSchema = z
  .strictObject({
    name: packName,
    version: z.int().min(1),
    title: z.string(),
    source: z.string().meta({ description: 'Where the facts come from, and what to know before confirming.' }),
    tool_contracts: toolContractsSchema,
  })
  .meta({ id: 'ContractPack' });
export type PackResponse = z.infer<typeof packSchema>;

export const packListSchema = z.strictObject({ items: z.array(packSchema) }).meta({ id: 'ContractPackList' });
