import { partWhere, rendered, windowOf } from '../../test/windows';

const SOURCE =
  '[{"role":"user","content":"Go"},' +
  '{"role":"assistant", "content":"I look.", "tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{\\"n\\": 1.0}"}}, {"id":"b","type":"function","function":{"name":"g","arguments":"{}"}}], "x":1.0},' +
  '{"role":"tool","tool_call_id":"a","content":"A"},{"role":"tool","tool_call_id":"b","content":"B"}]';

describe('parts of an OpenAI message that leave', () => {
  const window = windowOf('openai-chat', SOURCE);
  const text = partWhere(window, (part) => part.text === 'I look.');
  const callA = partWhere(window, (part) => part.call?.callId === 'a');
  const callB = partWhere(window, (part) => part.call?.callId === 'b');
  const resultA = partWhere(window, (part) => part.text === 'A');
  const resultB = partWhere(window, (part) => part.text === 'B');

  it('leaves null as the content beside calls that stay', () => {
    expect(rendered(window, { dropped: [text] })).toBe(SOURCE.replace('"I look."', 'null'));
  });

  it('takes one call with its result out of a parallel pair', () => {
    const output = rendered(window, { dropped: [callA, resultA] });
    expect(output).toBe(
      '[{"role":"user","content":"Go"},' +
        '{"role":"assistant", "content":"I look.", "tool_calls":[{"id":"b","type":"function","function":{"name":"g","arguments":"{}"}}], "x":1.0},' +
        '{"role":"tool","tool_call_id":"b","content":"B"}]',
    );
  });

  it('removes the member when all calls leave', () => {
    const output = rendered(window, { dropped: [callA, callB, resultA, resultB] });
    expect(output).toBe('[{"role":"user","content":"Go"},{"role":"assistant", "content":"I look.", "x":1.0}]');
  });

  it('removes a message with its last part', () => {
    const output = rendered(window, { dropped: [text, callA, callB, resultA, resultB] });
    expect(output).toBe('[{"role":"user","content":"Go"}]');
  });

  it('leaves no message that is nothing but reasoning', () => {
    const thinking = windowOf('openai-chat', [
      { role: 'user', content: 'Go' },
      { role: 'assistant', reasoning_content: 'Hm.', content: 'Done.' },
    ]);
    const done = partWhere(thinking, (part) => part.text === 'Done.');
    expect(rendered(thinking, { dropped: [done] })).toBe('[{"role":"user","content":"Go"}]');
  });
});
