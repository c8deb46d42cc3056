import { hasWhole } from '../whole-token';
import { cutRecord } from './cut-record';
import { isNamedIn } from './named-values';

describe('a value stands as a whole token', () => {
  it.each([
    ['order W2378156.', 'W2378156', true],
    ['order W23781560', 'W2378156', false],
    ['XW2378156', 'W2378156', false],
    ['118,000 and 118', '118', true],
    ['path a/b/c', 'a/b', true],
    ['Müller', 'ller', false],
    ['', 'x', false],
  ])('%j, %j: %s', (text, value, expected) => {
    expect(hasWhole(text, value)).toBe(expected);
  });
});

describe('a value has its name', () => {
  const none = new Set<string>();
  it('under a key, in a table and beside a word', () => {
    expect(isNamedIn({ content: '{"order":"W2378156"}' }, 'W2378156', none)).toBe(true);
    expect(isNamedIn({ content: '{"items":{"#columns":["id"],"#rows":[["W2378156"]]}}' }, 'W2378156', none)).toBe(true);
    const noted = '[same content as tables]\n{"#columns":["id","fare"],"#rows":[\n["W2378156",12],\n["W2378157",13]]}';
    expect(isNamedIn({ content: noted }, 'W2378157', none)).toBe(true);
    expect(isNamedIn({ content: 'the order W2378156' }, 'W2378156', none)).toBe(true);
  });

  it('not in a bare list, and not in what a mark says', () => {
    expect(isNamedIn({ content: 'W2378156, W2378157 [recall h_abcdefghij]' }, 'W2378156', none)).toBe(false);
    expect(isNamedIn({ content: '{"_holdfast":"left out: W2378156"}' }, 'W2378156', none)).toBe(false);
  });

  it('when its line stands as it stood in the source', () => {
    expect(isNamedIn({ content: 'W2378156' }, 'W2378156', new Set(['W2378156']))).toBe(true);
  });
});

describe('a record is cut before a message', () => {
  it('keeps everything else as its source text', () => {
    const record = '{"task_id": 1.0, "traj": [{"role":"system"}, {"role":"user"}, {"role":"assistant"}], "info": {}}';
    expect(cutRecord(record, 2)).toEqual({
      text: '{"task_id": 1.0, "traj": [{"role":"system"}, {"role":"user"}], "info": {}}',
      messages: 2,
    });
  });

  it('counts a system prompt beside the list', () => {
    const record = '{"request":{"system":"s","messages":[{"role":"user"},{"role":"assistant"}]}}';
    expect(cutRecord(record, 2)?.text).toBe('{"request":{"system":"s","messages":[{"role":"user"}]}}');
  });

  it('counts the lines of a session that are messages', () => {
    const lines = ['{"type":"session"}', '{"message":{"role":"user"}}', '{"type":"model_change"}', '{"message":{}}'];
    expect(cutRecord(lines.join('\n'), 1)).toEqual({ text: `${lines.slice(0, 3).join('\n')}\n`, messages: 1 });
  });

  it('cuts commands and what they printed', () => {
    const record = '{"query":"q","turn_history":{"actions":["a","b"],"observations":["1","2"]}}';
    expect(cutRecord(record, 3)).toEqual({
      text: '{"query":"q","turn_history":{"actions":["a"],"observations":["1"]}}',
      messages: 3,
    });
  });

  it('does not know other texts', () => {
    expect(cutRecord('no record', 1)).toBeUndefined();
    expect(cutRecord('{"a":1}', 1)).toBeUndefined();
  });
});
