import fc from 'fast-check';
import { type CompactionBody, readCompactionBody } from './read-compaction-body';

const LIMITS = { maxDepth: 100, maxElements: 20_000 };
const FIELDS = '"agent":"a","session":"s","budget_tokens":1000';

function read(text: string | Uint8Array): CompactionBody {
  return readCompactionBody(typeof text === 'string' ? Buffer.from(text, 'utf8') : text, LIMITS);
}

function body(window: string, more = ''): string {
  return `{${FIELDS}${more},"window":${window}}`;
}

function problems(text: string | Uint8Array): string[] {
  const answer = read(text);
  return answer.kind === 'read' ? [] : answer.errors.map(({ code, path }) => `${code} ${path}`);
}

function sourceOf(text: string): string {
  const answer = read(text);
  if (answer.kind !== 'read') throw new Error(answer.errors.map(({ code, path }) => `${code} ${path}`).join(', '));
  return Buffer.from(answer.source).toString('utf8');
}

const ELEMENT = '{"id":"e","role":"user","content":"hi"}';

describe('the window of a request', () => {
  it.each([
    `[{"id":"e","content":"x","n":12345678901234567890123,"d":1.0,"e":1e2,"k":1,"k":2, "\\u0061":"\\/"}]`,
    `[ {"id" : "e" , "content":"\\u0000 \\ud800 \\udc00 ☃ 😀"} ]`,
    `{"elements":[${ELEMENT}],"extra":{"2":1,"1":2}}`,
  ])('keeps its source: %s', (window) => {
    expect(sourceOf(body(window, ',"format":"elements"'))).toBe(window);
  });

  it('keeps its source whatever stands in it', () => {
    const json = fc.json({ noUnicodeString: false } as never);
    fc.assert(
      fc.property(json, fc.constantFrom(' ', '\n\t', ''), (value, space) => {
        const window = `[${space}{"id":"e","content":"x","v":${value}${space}}]`;
        expect(sourceOf(body(window, ',"format":"elements"'))).toBe(window);
      }),
    );
  });

  it('is the last of two, as JSON readers take it', () => {
    expect(sourceOf(`{"window":1,${FIELDS},"format":"elements","window":[${ELEMENT}]}`)).toBe(`[${ELEMENT}]`);
  });

  it('is taken behind a byte order mark', () => {
    expect(sourceOf(`\ufeff${body(`[${ELEMENT}]`, ',"format":"elements"')}`)).toBe(`[${ELEMENT}]`);
  });

  it.each([
    ['[{"role":"user","content":"hi"}]', 'openai-chat'],
    ['{"model":"claude-sonnet-4-5","messages":[{"role":"user","content":"hi"}]}', 'anthropic'],
    ['{"elements":[]}', 'elements'],
  ])('has its format detected: %s', (window, format) => {
    expect(read(body(window))).toMatchObject({ kind: 'read', format });
  });
});

describe('the hash of a request', () => {
  const hash = (text: string): string => {
    const answer = read(text);
    return answer.kind === 'read' ? Buffer.from(answer.requestHash).toString('hex') : '';
  };

  it('is the same in another order and with other white space', () => {
    const window = `[${ELEMENT}]`;
    const other = `{ "window":${window}, "budget_tokens":1000, "session":"s", "agent":"a" }`;
    expect(hash(other)).toBe(hash(body(window)));
  });

  it('differs with any field and any byte of the window', () => {
    const hashes = [
      body(`[${ELEMENT}]`),
      body(`[ ${ELEMENT}]`),
      body(`[${ELEMENT}]`, ',"aim_tokens":10'),
      body(`[${ELEMENT}]`, ',"model":"gpt-4o"'),
    ].map(hash);
    expect(new Set(hashes).size).toBe(4);
  });
});

describe('what is wrong with a request has a code and a path', () => {
  const orphan = '[{"role":"user","content":"x"},{"role":"tool","tool_call_id":"c9","content":"r"}]';
  const twice = `[{"role":"user","content":"x"},{"role":"assistant","content":null,"tool_calls":[${call('c')},${call('c')}]}]`;

  function call(id: string): string {
    return `{"id":"${id}","type":"function","function":{"name":"f","arguments":"{}"}}`;
  }

  it.each<[string, string, readonly string[]]>([
    ['an empty body', '', ['BODY_NOT_JSON ']],
    ['malformed JSON', '{"agent":"a",}', ['BODY_NOT_JSON ']],
    ['malformed JSON in the window', body('[{"id":"e","content":}]'), ['BODY_NOT_JSON /window/0/content']],
    ['no object', '[]', ['FIELD_WRONG_TYPE ']],
    [
      'nothing',
      '{}',
      ['FIELD_MISSING /agent', 'FIELD_MISSING /session', 'FIELD_MISSING /budget_tokens', 'FIELD_MISSING /window'],
    ],
    [
      'wrong types',
      `{"agent":1,"session":null,"budget_tokens":"9","window":[]}`,
      ['FIELD_WRONG_TYPE /agent', 'FIELD_WRONG_TYPE /session', 'FIELD_WRONG_TYPE /budget_tokens'],
    ],
    [
      'a budget of nothing',
      `{"agent":"a","session":"s","budget_tokens":0,"window":[]}`,
      ['FIELD_OUT_OF_RANGE /budget_tokens'],
    ],
    [
      'half a token',
      `{"agent":"a","session":"s","budget_tokens":1.5,"window":[]}`,
      ['FIELD_WRONG_TYPE /budget_tokens'],
    ],
    ['an aim above the budget', body('[]', ',"aim_tokens":1001'), ['FIELD_OUT_OF_RANGE /aim_tokens']],
    ['an unknown field', body('[]', ',"budget":1'), ['FIELD_UNKNOWN /budget']],
    ['__proto__', body('[]', ',"__proto__":{"x":1}'), ['FIELD_UNKNOWN /__proto__']],
    ['NUL in a session', `{"agent":"a","session":"\\u0000","budget_tokens":1,"window":[]}`, ['FIELD_INVALID /session']],
    [
      'half a surrogate pair in a session',
      `{"agent":"a","session":"\\ud800","budget_tokens":1,"window":[]}`,
      ['FIELD_INVALID /session'],
    ],
    ['an unknown format', body('[]', ',"format":"gopher"'), ['FORMAT_UNKNOWN /format']],
    ['a format that cannot be told', body('[{"role":"wizard"}]'), ['FORMAT_UNKNOWN /window']],
    ['a window that is a word', body('"[]"'), ['WINDOW_WRONG_SHAPE /window']],
    [
      'a window without a list',
      body('{"messages":1}', ',"format":"openai-chat"'),
      ['WINDOW_WRONG_SHAPE /window/messages'],
    ],
    ['an element that is none', body('[1]', ',"format":"elements"'), ['ELEMENT_WRONG_TYPE /window/0']],
    [
      'a flag that is none',
      body('[{"id":"e","content":"x","idempotent":"yes"}]'),
      ['ELEMENT_WRONG_TYPE /window/0/idempotent'],
    ],
    [
      'two elements with one id',
      body(`[${ELEMENT},${ELEMENT}]`, ',"format":"elements"'),
      ['ELEMENT_ID_DUPLICATE /window/1'],
    ],
    ['two calls of a turn with one id', body(twice), ['ELEMENT_ID_DUPLICATE /window/1/tool_calls/1']],
    ['an orphan result', body(orphan), ['TOOL_RESULT_ORPHAN /window/1']],
    [
      'an unknown role',
      body('[{"role":"wizard","content":"x"}]', ',"format":"openai-chat"'),
      ['ROLE_INVALID /window/0/role'],
    ],
    [
      'history that the provider holds',
      body('{"previous_response_id":"r1","messages":[]}', ',"format":"openai-chat"'),
      ['SERVER_HELD_HISTORY /window/previous_response_id'],
    ],
    [
      'too many elements',
      body(`[${Array.from({ length: 20_001 }, (_, n) => `{"id":"${n}"}`).join(',')}]`, ',"format":"elements"'),
      ['WINDOW_TOO_MANY_ELEMENTS /window'],
    ],
    ['a depth bomb in the window', body('['.repeat(100_000)), [`WINDOW_TOO_DEEP /window${'/0'.repeat(100)}`]],
    ['a depth bomb elsewhere', `{"agent":${'['.repeat(100_000)}`, [`BODY_TOO_DEEP /agent${'/0'.repeat(100)}`]],
  ])('%s', (_, text, expected) => {
    expect(problems(text)).toEqual(expected);
  });

  it('bytes that are not UTF-8, half a surrogate pair among them', () => {
    expect(problems(Buffer.from([0x7b, 0xff, 0x7d]))).toEqual(['BODY_NOT_UTF8 ']);
    expect(problems(Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]))).toEqual(['BODY_NOT_UTF8 ']);
  });
});

describe('what only looks wrong', () => {
  it.each([
    ['NUL and half a surrogate pair', '[{"role":"user","content":"\\u0000 \\ud800"}]'],
    [
      'a turn that was aborted',
      '[{"role":"user","content":"x"},{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"user","content":"y"}]',
    ],
    ['an empty window', '{"elements":[]}'],
  ])('%s is accepted', (_, window) => {
    expect(problems(body(window))).toEqual([]);
  });
});
