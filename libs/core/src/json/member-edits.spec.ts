import fc from 'fast-check';
import { jsonTexts, jsonValueTexts } from '../../test/json-texts';
import { member } from './json-access';
import { sourceOf } from './json-node';
import { setMemberEdit } from './member-edits';
import { parseJson } from './parse-json';
import { applyEdits } from './text-edits';

function withMember(text: string, key: string, serializedValue: string): string {
  const object = parseJson(text);
  if (object.kind !== 'object') throw new TypeError('The text of an object is expected');
  return applyEdits(text, [setMemberEdit(object, key, serializedValue)]);
}

describe('setMemberEdit', () => {
  it.each([
    ['{ "a" : 1.0 , "b" : 2 }', 'a', '{ "a" : 9 , "b" : 2 }'],
    ['{"a":1,"a":2}', 'a', '{"a":1,"a":9}'],
    ['{ "b" : 2 }', 'a"', '{ "b" : 2,"a\\"":9 }'],
    ['{ }', 'a', '{"a":9 }'],
  ])('of %j sets %j and gives %j', (text, key, expected) => {
    expect(withMember(text, key, '9')).toBe(expected);
  });

  it('sets the value that counts and leaves every other member as it was', () => {
    const objects = jsonTexts.filter((text) => text.trim().startsWith('{'));
    const keys = fc.oneof(fc.constantFrom('a', '2', '__proto__'), fc.string({ unit: 'binary' }));
    fc.assert(
      fc.property(objects, keys, jsonValueTexts, (text, key, value) => {
        const edited = withMember(text, key, value);
        const before = parseJson(text);
        const after = parseJson(edited);
        const changed = member(after, key);
        expect(changed && sourceOf(edited, changed)).toBe(value);
        if (before.kind !== 'object' || after.kind !== 'object') throw new TypeError('An object is expected');
        before.members.forEach((kept, index) => {
          const now = after.members[index];
          expect(now?.key).toBe(kept.key);
          if (now && now.value !== changed) expect(sourceOf(edited, now.value)).toBe(sourceOf(text, kept.value));
        });
      }),
    );
  });
});
