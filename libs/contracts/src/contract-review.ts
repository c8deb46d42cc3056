import { LINT_CODES, LINT_SEVERITIES } from '@holdfast/core';
import { z } from 'zod';
import { agentIdSchema, sessionNameSchema } from './scalars';
import { toolContractSchema } from './tool-contract';

/** Most sessions whose calls go into one suggestion. */
export const MOST_SUGGESTION_SESSIONS = 20;

const toolsSchema = z.union([z.array(z.unknown()), z.record(z.string(), z.unknown())]).meta({
  description: "Tool definitions of any provider: a list, a request body, or an answer to MCP's `tools/list`.",
});

export const lintRequestSchema = z
  .strictObject({
    tool_contracts: z.unknown().meta({ description: 'Contracts by tool name, right or wrong.' }),
    tools: toolsSchema.exactOptional(),
  })
  .meta({ id: 'LintRequest' });

export const lintFindingsSchema = z
  .strictObject({
    findings: z.array(
      z.strictObject({
        code: z.enum(LINT_CODES),
        severity: z.enum(LINT_SEVERITIES),
        path: z.string().meta({ description: 'JSON pointer into `tool_contracts`.' }),
        message: z.string(),
      }),
    ),
  })
  .meta({ id: 'LintFindings' });
export type LintFindings = z.infer<typeof lintFindingsSchema>;

const proposedPackSchema = z.strictObject({
  name: z.string(),
  version: z.int().min(1),
  prefix: z.string(),
  tools: z.array(z.string()),
});

export const importRequestSchema = z.strictObject({ tools: toolsSchema }).meta({ id: 'ImportRequest' });

/** Drafts: the effect is `unproven` until the owner says more. */
export const draftsSchema = z
  .strictObject({
    drafts: z.array(
      z.strictObject({
        tool: z.string(),
        contract: toolContractSchema,
        evidence: z.array(z.string()),
        cautions: z.array(z.string()),
      }),
    ),
    packs: z.array(proposedPackSchema).meta({ description: 'Packs that the tools look like.' }),
  })
  .meta({ id: 'ContractDrafts' });
export type DraftsResponse = z.infer<typeof draftsSchema>;

export const suggestRequestSchema = z
  .strictObject({
    sessions: z
      .array(sessionNameSchema)
      .min(1)
      .max(MOST_SUGGESTION_SESSIONS)
      .exactOptional()
      .meta({ description: "Sessions to look at; the agent's newest where it is left out." }),
    tools: toolsSchema.exactOptional(),
  })
  .meta({ id: 'SuggestRequest' });

/** Proposals for a person to confirm; nothing is used before it is declared. */
export const suggestionsSchema = z
  .strictObject({
    agent: agentIdSchema,
    sessions: z.array(sessionNameSchema).meta({ description: 'Sessions whose newest window was looked at.' }),
    proposals: z.array(
      z.strictObject({
        tool: z.string(),
        contract: toolContractSchema,
        confidence: z.enum(['high', 'medium', 'low']),
        evidence: z.array(z.string()),
        cautions: z.array(z.string()),
        calls: z.int().min(0),
        declared: z.boolean().meta({ description: 'The agent has a contract for it already.' }),
      }),
    ),
    packs: z.array(proposedPackSchema).meta({ description: 'Packs that the tools look like.' }),
  })
  .meta({ id: 'ContractSuggestions' });
export type SuggestionsResponse = z.infer<typeof suggestionsSchema>;
