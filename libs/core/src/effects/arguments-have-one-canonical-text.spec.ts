import fc from 'fast-check';
import { member, parseJson } from '../json';
import { canonicalArguments } from './canonical-arguments';

const canonical = (text: string): string => canonicalArguments(parseJson(text), text);

it('whatever the order, the white space and the escapes', () => {
  expect(canonical(' { "b" : [ 1 , true , null ] , "a" : "\\u0041" } ')).toBe('{"a":"A","b":[1,true,null]}');
});

it('numbers stay as written, the last duplicate counts', () => {
  expect(canonical('{"a":1,"a":9007199254740993,"b":1.0}')).toBe('{"a":9007199254740993,"b":1.0}');
});

it('text that is no JSON is its own text', () => {
  expect(canonicalArguments(undefined, '{"a":')).toBe('"{\\"a\\":"');
});

it('is the same for a slice of a larger text', () => {
  const window = '{"type":"tool_use","input":{"n": 12.50, "m": [7]}}';
  const input = member(parseJson(window), 'input');
  if (input === undefined) throw new Error('no input');
  expect(canonicalArguments(input, window.slice(input.start, input.end))).toBe('{"m":[7],"n":12.50}');
});

it('parses back to the same value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value);
      expect(JSON.parse(canonical(text))).toEqual(JSON.parse(text));
      expect(canonical(canonical(text))).toBe(canonical(text));
    }),
  );
});
