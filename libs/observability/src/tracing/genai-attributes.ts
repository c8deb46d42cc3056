/**
 * Every `gen_ai.*` name that Holdfast uses, in this file only: the convention is in development and its names move.
 * Those that would hold content (messages, instructions, tool arguments) are not here, and there is no switch for them.
 */
export const GEN_AI = {
  operation: 'gen_ai.operation.name',
  provider: 'gen_ai.provider.name',
  model: 'gen_ai.request.model',
  maxTokens: 'gen_ai.request.max_tokens',
  inputTokens: 'gen_ai.usage.input_tokens',
  outputTokens: 'gen_ai.usage.output_tokens',
  /** The session. */
  conversation: 'gen_ai.conversation.id',
  /** Only ever true. */
  compacted: 'gen_ai.conversation.compacted',
  agent: 'gen_ai.agent.id',
} as const;

/** The operation of asking a chat model; a span of one is named `chat <model>`. */
export const CHAT = 'chat';
