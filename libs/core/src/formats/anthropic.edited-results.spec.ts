import { partWhere, rendered, windowOf } from '../../test/windows';

const image = '{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgo="}}';
const withResult = (result: string): string =>
  `[{"role":"user","content":"Go"},{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"f","input":{}}]},{"role":"user","content":[${result}]}]`;

function edited(result: string, text: string): string {
  const window = windowOf('anthropic', withResult(result));
  return rendered(window, { replaced: [[partWhere(window, ({ kind }) => kind === 'result'), text]] });
}

describe('other text in place of a tool result', () => {
  it('replaces a string and nothing around it', () => {
    const result = (content: string): string =>
      `{"type":"tool_result", "tool_use_id":"t1","content":"${content}","cache_control":{"type":"ephemeral"},"is_error":false}`;
    expect(edited(result('long'), 'short')).toBe(withResult(result('short')));
  });

  it('puts the text into the first text block, drops the other text blocks and keeps the picture', () => {
    const source = `{"type":"tool_result","tool_use_id":"t1","content":[{"type":"text","text":"one","x":1.0}, ${image}, {"type":"text","text":"two"}]}`;
    const output = `{"type":"tool_result","tool_use_id":"t1","content":[{"type":"text","text":"short","x":1.0}, ${image}]}`;
    expect(edited(source, 'short')).toBe(withResult(output));
  });

  it('puts a text block in front of a picture that stood alone', () => {
    const source = `{"type":"tool_result","tool_use_id":"t1","content":[${image}]}`;
    const output = `{"type":"tool_result","tool_use_id":"t1","content":[{"type":"text","text":"short"},${image}]}`;
    expect(edited(source, 'short')).toBe(withResult(output));
  });

  it('gives a result without content one', () => {
    const source = '{"type":"tool_result","tool_use_id":"t1"}';
    expect(edited(source, 'short')).toBe(withResult('{"type":"tool_result","tool_use_id":"t1","content":"short"}'));
  });

  it('refuses text for a result that holds blocks of an unknown kind', () => {
    const source = '{"type":"tool_result","tool_use_id":"t1","content":[{"type":"tool_reference","tool_name":"g"}]}';
    expect(() => edited(source, 'short')).toThrow('cannot take other text');
  });
});
