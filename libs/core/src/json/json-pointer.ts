/** Keys and indices from the root to a node. */
export type JsonPath = readonly (string | number)[];

/** JSON Pointer (RFC 6901) of a path: `''` for the root, `/a~1b/0` for the first item of member `a/b`. */
export function jsonPointer(path: JsonPath): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
