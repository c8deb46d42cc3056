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
    ['another API', { input: [user] }, undefined],
    ['unknown roles', [{ role: 'human', content: 'x' }], undefined],
  ])('tells the format by %s', (_, source, format) => {
    expect(detectFormat(JSON.stringify(source))).toBe(format);
  });

  it('has no answer for text that is no JSON', () => {
    expect(detectFormat('{')).toBeUndefined();
  });
});
