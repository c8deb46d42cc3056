import { splicedJson } from './spliced-json';

const SOURCE = '{"n": 12345678901234567890, "d":1.0,"d":2, "s":"\\u0000\\ud800"}';

describe('spliced JSON', () => {
  it('carries a raw member as its bytes', () => {
    const text = splicedJson({ id: 'x' }, [{ name: 'window', json: Buffer.from(SOURCE) }]).toString('utf8');
    expect(text).toBe(`{"id":"x","window":${SOURCE}}`);
  });

  it('takes several, and an empty object', () => {
    const raw = [
      { name: 'a', json: '1.0' },
      { name: 'b', json: '[ ]' },
    ];
    expect(splicedJson({}, raw).toString('utf8')).toBe('{"a":1.0,"b":[ ]}');
    expect(splicedJson({}, []).toString('utf8')).toBe('{}');
  });
});
