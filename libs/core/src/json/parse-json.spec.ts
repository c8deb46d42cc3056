import fc from 'fast-check';
import { jsonTexts, nearlyJsonTexts, numberTexts } from '../../test/json-texts';
import { JsonLimitError, JsonSyntaxError, isJsonError } from './json-errors';
import { sourceOf, type JsonNode } from './json-node';
import { parseJson } from './parse-json';
import { toPlain } from './to-plain';

function accepts(parse: () => unknown): boolean {
  try {
    parse();
    return true;
  } catch {
    return false;
  }
}

function thrownBy(parse: () => unknown): unknown {
  try {
    parse();
  } catch (thrown) {
    return thrown;
  }
  return undefined;
}

function* everyNode(node: JsonNode): Generator<JsonNode> {
  yield node;
  if (node.kind === 'array') for (const item of node.items) yield* everyNode(item);
  if (node.kind === 'object') for (const { value } of node.members) yield* everyNode(value);
}

describe('parseJson on valid texts', () => {
  it('gives the source text of the root back', () => {
    fc.assert(
      fc.property(jsonTexts, (text) => {
        expect(sourceOf(text, parseJson(text))).toBe(text.trim());
      }),
    );
  });

  it('gives offsets of every node whose source text means what the node means', () => {
    fc.assert(
      fc.property(jsonTexts, (text) => {
        for (const node of everyNode(parseJson(text))) {
          expect(toPlain(node)).toEqual(JSON.parse(sourceOf(text, node)));
          if (node.kind !== 'object') continue;
          for (const { key, keyStart, keyEnd } of node.members)
            expect(JSON.parse(text.slice(keyStart, keyEnd))).toBe(key);
        }
      }),
    );
  });

  it('keeps duplicates and the order of members', () => {
    const text = '{"b":1,"2":2,"1":3,"b":4}';
    const root = parseJson(text);
    expect(root.kind === 'object' && root.members.map(({ key, value }) => [key, sourceOf(text, value)])).toEqual([
      ['b', '1'],
      ['2', '2'],
      ['1', '3'],
      ['b', '4'],
    ]);
  });

  it.each(['9007199254740993', '1.0', '1e2', '-0', '0.1e-400', '123456789012345678901234567890'])(
    'keeps the text of the number %s',
    (text) => {
      const node = parseJson(` ${text} `);
      expect(node).toEqual({ kind: 'number', start: 1, end: 1 + text.length, value: Number(text) });
    },
  );

  it('gives the nearest double for a number of any length', () => {
    const longIntegers = fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n }).map(String);
    fc.assert(
      fc.property(fc.oneof(numberTexts, longIntegers), (text) => {
        expect(parseJson(text)).toEqual({ kind: 'number', start: 0, end: text.length, value: Number(text) });
      }),
      { numRuns: 1000 },
    );
  });

  it('decodes NUL, lone surrogates and pairs', () => {
    expect(parseJson(String.raw`"\u0000\ud800\uDE00\ud83d\ude00\/"`)).toMatchObject({ value: '\0\ud800\ude00😀/' });
  });

  it('skips a byte order mark at the very beginning', () => {
    expect(parseJson('\ufeff [] ')).toEqual({ kind: 'array', items: [], start: 2, end: 4 });
    expect(accepts(() => parseJson(' \ufeff[]'))).toBe(false);
  });
});

describe('parseJson on texts that are no JSON', () => {
  it('accepts exactly what JSON.parse accepts', () => {
    fc.assert(
      fc.property(nearlyJsonTexts, (text) => {
        const isJson = accepts(() => JSON.parse(text));
        fc.pre(isJson || !text.startsWith('\ufeff'));
        const thrown = thrownBy(() => parseJson(text));
        expect(thrown === undefined).toBe(isJson);
        expect(thrown === undefined || thrown instanceof JsonSyntaxError).toBe(true);
      }),
      { numRuns: 3000 },
    );
  });

  it('rejects every control character that is not escaped', () => {
    for (let code = 0; code < 0x20; code++) {
      expect(thrownBy(() => parseJson(`"${String.fromCharCode(code)}"`))).toMatchObject({
        code: 'JSON_SYNTAX',
        offset: 1,
      });
    }
    expect(accepts(() => parseJson('"\x20\x7f"'))).toBe(true);
  });

  it.each([
    ['', 0, 1, 1, '', 'a JSON value, found the end of the text'],
    ['[1,]', 3, 1, 4, '/1', "a JSON value, found ']'"],
    ['[1 2]', 3, 1, 4, '/1', "',' or ']', found '2'"],
    ['{"a":{"b/c":tru}}', 12, 1, 13, '/a/b~1c', "a JSON value, found 't'"],
    ['{"a":1,}', 7, 1, 8, '', "a member's key, found '}'"],
    ['{\n "a" 1}', 7, 2, 6, '/a', "':', found '1'"],
    ['[\r\n\r"a\u0000"]', 6, 3, 3, '/0', 'an escaped control character, found U+0000'],
    ['["\\x"]', 3, 1, 4, '/0', "one of the escapes \"\\/bfnrtu, found 'x'"],
    ['["\\u12g4"]', 6, 1, 7, '/0', "four hexadecimal digits, found 'g'"],
    ['"abc', 4, 1, 5, '', "'\"' at the end of the string, found the end of the text"],
    ['[-]', 2, 1, 3, '/0', "a digit, found ']'"],
    ['01', 1, 1, 2, '', "the end of the text, found '1'"],
    ['1.e3', 2, 1, 3, '', "a digit, found 'e'"],
  ])('names place and expectation for %j', (text, offset, line, column, path, message) => {
    const thrown = thrownBy(() => parseJson(text));
    expect(thrown).toMatchObject({ code: 'JSON_SYNTAX', offset, line, column, path });
    expect(thrown).toHaveProperty('message', expect.stringContaining(`Expected ${message}`));
    expect(isJsonError(thrown)).toBe(true);
  });
});

describe('the limits of parseJson', () => {
  it.each(['[', '{"a":', '[{"a":'])('refuses a million of %j as too deep', (opening) => {
    const thrown = thrownBy(() => parseJson(opening.repeat(1_000_000)));
    expect(thrown).toBeInstanceOf(JsonLimitError);
    expect(thrown).toMatchObject({ code: 'JSON_TOO_DEEP', limit: 200 });
  });

  it('reads 200 levels by default and no more', () => {
    const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
    expect(accepts(() => parseJson(nested(200)))).toBe(true);
    expect(accepts(() => parseJson(nested(201)))).toBe(false);
    expect(accepts(() => parseJson(`[${'[],'.repeat(500)}[]]`))).toBe(true);
  });

  it('reads and converts any depth that the caller allows without a stack overflow', () => {
    const levels = 200_000;
    const text = '[{"a":'.repeat(levels) + '0' + '}]'.repeat(levels);
    const root = parseJson(text, { maxDepth: 2 * levels });
    expect(sourceOf(text, root)).toHaveLength(text.length);
    expect(Array.isArray(toPlain(root))).toBe(true);
  });

  it('counts every value against maxNodes and names the place', () => {
    expect(accepts(() => parseJson('[1,{"a":2}]', { maxDepth: 9, maxNodes: 4 }))).toBe(true);
    expect(thrownBy(() => parseJson('[1,{"a":2}]', { maxDepth: 9, maxNodes: 3 }))).toMatchObject({
      code: 'JSON_TOO_MANY_NODES',
      limit: 3,
      path: '/1/a',
    });
  });
});
