import { z } from 'zod';
import { agentIdSchema, idSchema, sessionNameSchema } from './scalars';

export const TOOL_OUTCOMES = ['rejected', 'failed', 'succeeded'] as const;
export const MAX_TOOL_OUTCOMES = 1_000;

const nameSchema = z.string().regex(/^[^\p{Cc}\p{Cs}]{1,200}$/u);

/** How a call of a tool ended, told by the agent. */
export const toolOutcomeSchema = z
  .strictObject({
    agent: agentIdSchema,
    session: sessionNameSchema,
    tool: nameSchema,
    outcome: z.enum(TOOL_OUTCOMES).meta({
      description: '`rejected`: the tool would not take the call (unknown id, wrong arguments); `failed`: it tried.',
    }),
    code: nameSchema.optional().meta({ description: "The tool's own code of it; no content." }),
    call_id: nameSchema.optional().meta({
      description: 'With it, the same outcome of the same call counts once, however often it is sent.',
    }),
    at: z.iso
      .datetime({ offset: true })
      .optional()
      .meta({ description: 'When it ended; without it, or in the future: now.' }),
  })
  .meta({ id: 'ToolOutcome' });

export const toolOutcomeBatchSchema = z.strictObject({
  outcomes: z.array(toolOutcomeSchema).min(1).max(MAX_TOOL_OUTCOMES),
});
/** One outcome, or a batch. */
export const toolOutcomesRequestSchema = z
  .union([toolOutcomeSchema, toolOutcomeBatchSchema])
  .meta({ id: 'ToolOutcomesRequest' });

export const recordedOutcomesSchema = z
  .strictObject({
    items: z
      .array(
        z.strictObject({
          id: idSchema,
          repeated: z.boolean().meta({ description: 'It was recorded before.' }),
          compaction_id: idSchema
            .nullable()
            .meta({ description: 'The last pass of the session that had handed out a window before it.' }),
          since_pass: z.int().min(1).nullable().meta({ description: 'Calls since that pass, this one counted.' }),
        }),
      )
      .meta({ description: 'In the order in which they were sent.' }),
  })
  .meta({ id: 'RecordedOutcomes' });
export type RecordedOutcomesResponse = z.infer<typeof recordedOutcomesSchema>;
