import { RECALL_TOOL_NAME, type FormatName } from '@holdfast/core';

const DESCRIPTION =
  'Reads back, byte for byte, content that left this conversation. A mark such as [recall h_2f6kq8wz] shows the handle. ' +
  'Give lines or query to read only a part.';

const PARAMETERS = {
  type: 'object',
  properties: {
    handle: { type: 'string', description: 'The handle of the mark, h_...' },
    lines: { type: 'string', description: 'First and last line, as 10-25' },
    query: { type: 'string', description: 'Only the lines that contain this text' },
  },
  required: ['handle'],
  additionalProperties: false,
} as const;

/**
 * The definition of the recall tool as the provider of a format takes it: an item of the request's `tools`
 * (`toolConfig.tools` in Bedrock's Converse). `elements` gets Anthropic's shape, `langchain` the one that `bindTools` takes,
 * `ai-sdk` that of a language model's function tool.
 */
export function recallToolDefinition(format: FormatName): Readonly<Record<string, unknown>> {
  const named = { name: RECALL_TOOL_NAME, description: DESCRIPTION };
  switch (format) {
    case 'openai-chat':
    case 'langchain':
      return { type: 'function', function: { ...named, parameters: PARAMETERS } };
    case 'openai-responses':
      return { type: 'function', ...named, parameters: PARAMETERS, strict: false };
    case 'anthropic':
    case 'elements':
      return { ...named, input_schema: PARAMETERS };
    case 'ai-sdk':
      return { type: 'function', ...named, inputSchema: PARAMETERS };
    case 'gemini':
      return { functionDeclarations: [{ ...named, parametersJsonSchema: PARAMETERS }] };
    case 'bedrock-converse':
      return { toolSpec: { ...named, inputSchema: { json: PARAMETERS } } };
  }
}
