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

/** The definition of the recall tool as the provider of a format takes it; `elements` gets Anthropic's shape. */
export function recallToolDefinition(format: FormatName): Readonly<Record<string, unknown>> {
  switch (format) {
    case 'openai-chat':
      return {
        type: 'function',
        function: { name: RECALL_TOOL_NAME, description: DESCRIPTION, parameters: PARAMETERS },
      };
    case 'anthropic':
    case 'elements':
      return { name: RECALL_TOOL_NAME, description: DESCRIPTION, input_schema: PARAMETERS };
  }
}
