import { items, member, memberEntries, stringValue, type JsonNode } from '../json';
import { parseJsonPath, type JsonPathStep } from '../json-path';
import { closestWord } from './closest-word';

/** Schemas refer to themselves and to each other; deeper than this nobody declares a key. */
const MAX_STEPS = 32;

/** Why a JSON path matches nothing that a schema allows; undefined when it matches, or when the schema leaves it open. */
export function pathMissing(schema: JsonNode | undefined, path: string): string | undefined {
  const steps = parseJsonPath(path);
  if (schema === undefined || steps === undefined || steps.length > MAX_STEPS) return undefined;
  return missingIn(schema, steps);
}

function missingIn(schema: JsonNode, [step, ...rest]: readonly JsonPathStep[]): string | undefined {
  if (step === undefined) return undefined;
  // What is behind a reference or a choice is not looked up: it may well match.
  if (
    ['$ref', 'anyOf', 'oneOf', 'allOf', 'additionalProperties', 'patternProperties'].some((key) => isOpen(schema, key))
  )
    return undefined;
  const properties = member(schema, 'properties');
  const listed = member(schema, 'items');
  if (step.kind === 'key') {
    if (properties === undefined)
      return typeOf(schema) === 'array' ? `"${step.key}" is asked of a list; use [*] for each item` : undefined;
    const found = member(properties, step.key);
    if (found !== undefined) return missingIn(found, rest);
    const names = memberEntries(properties).map(({ key }) => key);
    const near = closestWord(step.key, names);
    return near === undefined
      ? `no argument "${step.key}"; there are ${names.join(', ')}`
      : `no argument "${step.key}"; did you mean "${near}"?`;
  }
  if (listed !== undefined) return items(listed).length > 0 ? undefined : missingIn(listed, rest);
  return typeOf(schema) === 'string' ? 'an item is asked of a text' : undefined;
}

function isOpen(schema: JsonNode, key: string): boolean {
  const value = member(schema, key);
  return value !== undefined && !(value.kind === 'boolean' && !value.value);
}

function typeOf(schema: JsonNode): string | undefined {
  return stringValue(member(schema, 'type'))?.toLowerCase();
}
