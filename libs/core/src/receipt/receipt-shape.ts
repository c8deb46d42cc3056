import { FORMAT_NAMES } from '../terms';

/** The first thing that a value lacks to be read as a receipt; undefined for one that can be checked. */
export function receiptFault(value: unknown): string | undefined {
  if (!isObject(value)) return 'a receipt is a JSON object';
  if (!FORMAT_NAMES.some((name) => name === value['format'])) return '`format` names no window format';
  for (const name of ['hash', 'input_sha256', 'output_sha256'])
    if (typeof value[name] !== 'string') return `\`${name}\` is no text`;
  const { tokens, elements } = value;
  if (!isObject(tokens) || typeof tokens['before'] !== 'number' || typeof tokens['after'] !== 'number')
    return '`tokens` has no counts before and after';
  for (const name of ['classes', 'operations']) if (!isObject(value[name])) return `\`${name}\` holds no counts`;
  if (!Array.isArray(elements)) return '`elements` is no list';
  const wrong = elements.findIndex((element) => !isElement(element));
  return wrong === -1 ? undefined : `\`elements[${String(wrong)}]\` has no id, digest, class and operation`;
}

function isElement(value: unknown): boolean {
  const names = ['element_id', 'digest', 'class', 'operation', 'rule'];
  return isObject(value) && names.every((name) => typeof value[name] === 'string');
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
