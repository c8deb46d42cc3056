import { rendered, windowOf } from '../../test/windows';
import { anthropicFormat } from './index';

const block = { beforeMessage: 0, role: 'user', text: 'block', id: 'b' } as const;

describe('blank text that came with a window', () => {
  const source = [
    { role: 'user', content: 'Go' },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: '' },
        { type: 'tool_use', id: 'a', name: 'f', input: {} },
      ],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text', text: '' }] }] },
    { role: 'assistant', content: [{ type: 'text', text: '  ' }] },
    { role: 'user', content: 'And?' },
  ];

  it('leaves with the first change, and an empty result keeps its pair', () => {
    const output = rendered(windowOf('anthropic', source), { inserted: [block] });
    expect(JSON.parse(output)).toEqual([
      { role: 'user', content: 'block' },
      { role: 'user', content: 'Go' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'f', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: '' }] },
      { role: 'user', content: 'And?' },
    ]);
    expect(anthropicFormat.validate(output)).toEqual([]);
  });

  it('stays while nothing changes', () => {
    const text = JSON.stringify(source);
    expect(rendered(windowOf('anthropic', text), {})).toBe(text);
  });
});
