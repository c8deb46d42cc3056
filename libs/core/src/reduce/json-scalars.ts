import { sourceOf, type JsonNode } from '../json';
import { formatJsonPath } from '../json-path';
import { parseContainer } from './repack';

/** A named scalar leaf of a JSON text. */
export interface JsonScalar {
  /** `$.items[0].id` */
  readonly path: string;
  /** The nearest key above the value; an item of an array has the array's. */
  readonly name: string;
  readonly kind: 'string' | 'number' | 'boolean' | 'null';
  /** A string decoded, anything else as its source bytes. */
  readonly value: string;
  /** The literal as it stands in the text. */
  readonly source: string;
}

/** The scalar leaves of a JSON object or array in document order; empty for any other text. */
export function jsonScalars(text: string): readonly JsonScalar[] {
  const root = parseContainer(text);
  const scalars: JsonScalar[] = [];
  if (root !== undefined) collectScalars(text, root, [], '', scalars);
  return scalars;
}

function collectScalars(
  text: string,
  node: JsonNode,
  path: (string | number)[],
  name: string,
  scalars: JsonScalar[],
): void {
  if (node.kind === 'array') {
    node.items.forEach((item, index) => {
      path.push(index);
      collectScalars(text, item, path, name, scalars);
      path.pop();
    });
  } else if (node.kind === 'object') {
    for (const member of node.members) {
      path.push(member.key);
      collectScalars(text, member.value, path, member.key, scalars);
      path.pop();
    }
  } else {
    const source = sourceOf(text, node);
    const value = node.kind === 'string' ? node.value : source;
    scalars.push({ path: formatJsonPath(path), name, kind: node.kind, value, source });
  }
}
