import type { RequestError } from '@holdfast/contracts';
import { type JsonNode, jsonPointer } from '@holdfast/core';

/** A member of this name would be left out by what reads plain objects. */
const LOST_NAME = '__proto__';

/** An error for each member whose name cannot be kept, so that nothing is dropped without a word. */
export function lostNames(root: JsonNode): readonly RequestError[] {
  const errors: RequestError[] = [];
  const open: { readonly node: JsonNode; readonly path: readonly (string | number)[] }[] = [{ node: root, path: [] }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, path } = next;
    if (node.kind === 'array') node.items.forEach((item, at) => open.push({ node: item, path: [...path, at] }));
    if (node.kind !== 'object') continue;
    for (const { key, value } of node.members) {
      if (key === LOST_NAME) {
        const message = 'is no name that can be kept';
        errors.push({ code: 'FIELD_INVALID', path: jsonPointer([...path, key]), in: 'body', message });
      }
      open.push({ node: value, path: [...path, key] });
    }
  }
  return errors;
}
