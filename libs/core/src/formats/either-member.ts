import { member, type JsonNode } from '../json';

/** A member by its name in REST, or by the name that the Python client writes. */
export function eitherMember(node: JsonNode | undefined, camelCase: string): JsonNode | undefined {
  const snakeCase = camelCase.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return member(node, camelCase) ?? member(node, snakeCase);
}
