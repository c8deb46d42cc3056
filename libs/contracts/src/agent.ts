import { DEFAULT_POLICY, MODES, RECALL_SETTINGS } from '@holdfast/core';
import { z } from 'zod';
import { confirmedPackSchema, packInForceSchema } from './contract-pack';
import { agentIdSchema, pageOf, timeSchema } from './scalars';
import { toolContractsSchema } from './tool-contract';

const ON_AMBIGUOUS = ['refuse', 'hold'] as const;
const LARGEST_PINNED_BLOCK_TOKENS = 100_000;
const MOST_TAIL_MESSAGES = 1_000;

const aimShare = z.number().gt(0).lte(1);
const minGainShare = z.number().min(0).max(1);
const pinnedBlockTokens = z.int().min(0).max(LARGEST_PINNED_BLOCK_TOKENS);
const tailMessages = z.int().min(0).max(MOST_TAIL_MESSAGES);

const summarizerSchema = z
  .strictObject({
    provider: z.enum(['openai-compatible', 'anthropic']),
    base_url: z
      .url({ protocol: /^https?$/ })
      .max(2_000)
      .meta({ description: 'With its version segment. Its origin must be on the list that the operator keeps.' }),
    model: z.string().min(1).max(200),
    key: z
      .string()
      .regex(/^[A-Za-z0-9_.-]{1,100}$/)
      .exactOptional()
      .meta({ description: 'Name of a key that the operator holds; never the key itself.' }),
    timeout_ms: z.int().min(100).max(300_000).default(30_000),
    max_request_characters: z.int().min(1_000).max(1_000_000).default(60_000),
    max_tokens_per_pass: z.int().min(0).max(100_000_000).default(200_000),
  })
  .meta({
    id: 'Summarizer',
    description:
      'A language model that shortens disposable texts, critical fields sealed; default: the extractive one.',
  });

const policyInputSchema = z
  .strictObject({
    on_ambiguous: z
      .enum(ON_AMBIGUOUS)
      .optional()
      .meta({ description: 'Default: `refuse` for windows in the format `elements`, `hold` for provider messages.' }),
    aim_share: aimShare
      .default(DEFAULT_POLICY.aimShare)
      .meta({ description: 'Share of the budget that a pass aims at.' }),
    min_gain_share: minGainShare
      .default(DEFAULT_POLICY.minGainShare)
      .meta({ description: 'A pass that frees less than this share answers `unchanged`.' }),
    pinned_block_tokens: pinnedBlockTokens
      .default(DEFAULT_POLICY.pinnedBlockTokens)
      .meta({ description: 'Size of the pinned block above which a pass gives a notice.' }),
    tail_messages: tailMessages
      .default(DEFAULT_POLICY.tailMessages)
      .meta({ description: 'Newest messages that only a budget that cannot be met otherwise touches.' }),
    summarizer: summarizerSchema.exactOptional(),
  })
  .meta({ description: 'Settings of compaction; what is left out has its default.' });

/** `PUT /v1/agents/{agent}`: replaces all settings. `mode` and `recall` have no default, because both decide what may leave. */
export const putAgentRequestSchema = z
  .strictObject({
    mode: z.enum(MODES),
    recall: z.enum(RECALL_SETTINGS),
    policy: policyInputSchema.prefault({}),
    packs: z
      .array(confirmedPackSchema)
      .max(50)
      .default([])
      .meta({ description: 'Shipped packs that the owner confirms for this agent.' }),
    tool_contracts: toolContractsSchema.default({}).meta({
      description: 'Contracts by tool name; they go before those of packs, and of packs the first.',
    }),
  })
  .meta({ id: 'PutAgentRequest' });
export type PutAgentRequest = z.output<typeof putAgentRequestSchema>;

export const agentSchema = z
  .strictObject({
    agent: agentIdSchema,
    mode: z.enum(MODES),
    recall: z.enum(RECALL_SETTINGS),
    policy: z.strictObject({
      on_ambiguous: z.enum(ON_AMBIGUOUS).nullable(),
      aim_share: aimShare,
      min_gain_share: minGainShare,
      pinned_block_tokens: pinnedBlockTokens,
      tail_messages: tailMessages,
      summarizer: summarizerSchema.nullable(),
    }),
    packs: z.array(packInForceSchema),
    tool_contracts: toolContractsSchema.meta({ description: 'In force, those of packs included.' }),
    policy_version: z.int().min(1),
    budget_tokens: z
      .int()
      .nullable()
      .meta({ description: 'Raises smaller budgets of its passes; set by resolving a refusal.' }),
    created_at: timeSchema,
    updated_at: timeSchema,
  })
  .meta({ id: 'Agent' });
export type AgentResponse = z.infer<typeof agentSchema>;

export const agentPageSchema = pageOf(agentSchema).meta({ id: 'AgentPage' });
