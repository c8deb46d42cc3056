import type { JsonObject } from './json-node';
import { quoteJson } from './quote-json';
import type { TextEdit } from './text-edits';

/**
 * The edit that gives a member a serialized value: replaces the value that counts (the last duplicate's), or appends
 * the member at the end of the object. All other bytes stay.
 */
export function setMemberEdit(object: JsonObject, key: string, serializedValue: string): TextEdit {
  const present = object.members.findLast((candidate) => candidate.key === key);
  if (present !== undefined) {
    return { start: present.value.start, end: present.value.end, replacement: serializedValue };
  }
  const added = `${quoteJson(key)}:${serializedValue}`;
  const last = object.members.at(-1);
  if (last !== undefined) return { start: last.value.end, end: last.value.end, replacement: `,${added}` };
  return { start: object.start + 1, end: object.start + 1, replacement: added };
}
