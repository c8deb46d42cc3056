import { detectFormat } from './index';

const user = { role: 'user', content: 'Go' };

describe('detectFormat', () => {
  it.each([
    ['flags', [{ id: 'a', regenerable: true }], 'elements'],
    ['an id on every message', [{ ...user, id: 'a' }], 'elements'],
    ['a list of elements', { elements: [] }, 'elements'],
    ['a tool message', [user, { role: 'tool', tool_call_id: 'a', content: '' }], 'openai-chat'],
    ['tool calls', [user, { role: 'assistant', content: null, tool_calls: [] }], 'openai-chat'],
    ['a picture by URL', [{ role: 'user', content: [{ type: 'image_url', image_url: {} }] }], 'openai-chat'],
    ['a tool block', [user, { role: 'assistant', content: [{ type: 'tool_use' }] }], 'anthropic'],
    ['a system field', { system: 'x', messages: [user] }, 'anthropic'],
    ['the model', { model: 'claude-sonnet-4-5', messages: [user] }, 'anthropic'],
    [
      'function tools of another model',
      { model: 'claude', tools: [{ function: {} }], messages: [user] },
      'openai-chat',
    ],
    ['nothing special', [user], 'openai-chat'],
    ['a list of items', { input: [user] }, 'openai-responses'],
    ['a text as input', { model: 'gpt-5', input: 'Go' }, 'openai-responses'],
    ['an item', [user, { type: 'function_call', call_id: 'a', name: 'b', arguments: '{}' }], 'openai-responses'],
    ['another service’s compaction', [user, { type: 'compaction', encrypted_content: 'x' }], 'openai-responses'],
    ['an input part', [{ role: 'user', content: [{ type: 'input_text', text: 'Go' }] }], 'openai-responses'],
    ['contents', { contents: [{ role: 'user', parts: [{ text: 'Go' }] }] }, 'gemini'],
    ['parts without a type', [{ role: 'user', parts: [{ text: 'Go' }] }], 'gemini'],
    ['parts with a type', [{ id: 'a', role: 'user', parts: [{ type: 'text', text: 'Go' }] }], 'ai-sdk'],
    ['a tool part', [user, { role: 'assistant', content: [{ type: 'tool-call' }] }], 'ai-sdk'],
    ['a tool message of parts', [user, { role: 'tool', content: [{ type: 'tool-result' }] }], 'ai-sdk'],
    ['a block without a type', [{ role: 'user', content: [{ text: 'Go' }] }], 'bedrock-converse'],
    [
      'dumped messages',
      [{ lc: 1, type: 'constructor', id: ['x', 'HumanMessage'], kwargs: { content: 'x' } }],
      'langchain',
    ],
    ['stored messages', [{ type: 'human', data: { content: 'x' } }], 'langchain'],
    ['a type of LangChain’s', [{ type: 'ai', content: 'x' }], 'langchain'],
    [
      'calls with arguments beside the name',
      [{ role: 'assistant', content: '', tool_calls: [{ name: 'a', args: {} }] }],
      'langchain',
    ],
    ['another API', { items: [user] }, undefined],
    ['unknown roles', [{ role: 'robot', content: 'x' }], undefined],
  ])('tells the format by %s', (_, source, format) => {
    expect(detectFormat(JSON.stringify(source))).toBe(format);
  });

  it('has no answer for text that is no JSON', () => {
    expect(detectFormat('{')).toBeUndefined();
  });
});
