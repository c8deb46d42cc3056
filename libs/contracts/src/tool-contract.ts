import { EFFECT_KINDS, type ToolContract } from '@holdfast/core';
import { z } from 'zod';

const wordList = z.array(z.string().min(1).max(500)).max(100);

const resultConditionSchema = z.strictObject({
  prefix: z.string().max(500).exactOptional(),
  contains: z.string().max(500).exactOptional(),
  matches: z.string().max(500).exactOptional(),
  is_error: z.boolean().exactOptional(),
  json_path: z.string().max(500).exactOptional(),
  equals: z.union([z.string().max(500), z.number(), z.boolean(), z.null()]).exactOptional(),
});

const argumentConditionSchema = z.strictObject({
  json_path: z.string().min(1).max(500),
  equals: z.union([z.string().max(500), z.number(), z.boolean()]),
});

/** The owner's declaration of what a tool does; paths are plain JSON paths over arguments or result. */
export const toolContractSchema: z.ZodType<ToolContract> = z
  .strictObject({
    effect: z.enum(['pure', 'read', ...EFFECT_KINDS]),
    read_when: z.array(argumentConditionSchema).max(50).exactOptional(),
    refetch: z.boolean().exactOptional(),
    volatile: z.boolean().exactOptional(),
    stateful: z.boolean().exactOptional(),
    key: wordList.exactOptional(),
    target: wordList.exactOptional(),
    scope: z.enum(['session', 'agent']).exactOptional(),
    outcome: z
      .strictObject({
        failed_when: z.array(resultConditionSchema).max(50).exactOptional(),
        succeeded_when: z.array(resultConditionSchema).max(50).exactOptional(),
        atomic: z.boolean().exactOptional(),
      })
      .exactOptional(),
    keep: wordList.exactOptional(),
    secret: wordList.exactOptional(),
  })
  .meta({ id: 'ToolContract', description: "The owner's declaration of what a tool does." });

/** Most tools that one agent may declare. */
export const MAX_TOOL_CONTRACTS = 2_000;

export const toolContractsSchema = z
  .record(z.string().min(1).max(200), toolContractSchema)
  .refine((contracts) => Object.keys(contracts).length <= MAX_TOOL_CONTRACTS, {
    error: `at most ${MAX_TOOL_CONTRACTS} tools`,
  })
  .meta({ description: 'Contracts by tool name.' });
