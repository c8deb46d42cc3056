import type { JsonNode } from '../json';

/** One step of a plain JSON path; `anything` is `[*]` (every item, every member). */
export type JsonPathStep =
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'index'; readonly index: number }
  | { readonly kind: 'anything' };

const PLAIN_KEY = /^[A-Za-z_][\w-]*$/;
const STEP = /\.?\*|\.?\[\*\]|\[(\d+)\]|\["((?:[^"\\]|\\.)*)"\]|\['((?:[^'\\]|\\.)*)'\]|\.?([^.[\]*\s'"][^.[\]]*)/y;

/**
 * Reads a path of the plain kind: `$.a.b[0].c`, `$.items[*].id`, `$["a key"]`; the leading `$` may be absent.
 * Undefined for anything else (filters, slices, `..`).
 */
export function parseJsonPath(pattern: string): readonly JsonPathStep[] | undefined {
  const steps: JsonPathStep[] = [];
  let offset = pattern.startsWith('$') ? 1 : 0;
  while (offset < pattern.length) {
    STEP.lastIndex = offset;
    const match = STEP.exec(pattern);
    if (match === null) return undefined;
    const [, index, doubleQuoted, singleQuoted, plain] = match;
    const quoted = doubleQuoted ?? singleQuoted;
    if (index !== undefined) steps.push({ kind: 'index', index: Number(index) });
    else if (quoted !== undefined) steps.push({ kind: 'key', key: quoted.replace(/\\(.)/gs, '$1') });
    else if (plain !== undefined) steps.push({ kind: 'key', key: plain });
    else steps.push({ kind: 'anything' });
    offset = STEP.lastIndex;
  }
  return steps;
}

/** The path of keys and indices as text, `$.items[0]["a key"]`; `parseJsonPath` reads it back. */
export function formatJsonPath(path: readonly (string | number)[]): string {
  return path.reduce<string>((text, step) => text + formatStep(step), '$');
}

function formatStep(step: string | number): string {
  if (typeof step === 'number') return `[${String(step)}]`;
  return PLAIN_KEY.test(step) ? `.${step}` : `["${step.replace(/["\\]/g, '\\$&')}"]`;
}

/** Whether a concrete path (`$.items[3].id`) is one that the pattern (`$.items[*].id`) names. */
export function matchesPath(pattern: string, path: string | readonly (string | number)[]): boolean {
  const wanted = parseJsonPath(pattern);
  const steps = typeof path === 'string' ? concreteSteps(path) : path;
  if (wanted === undefined || steps === undefined || wanted.length !== steps.length) return false;
  return wanted.every((step, position) => matchesStep(step, steps[position]));
}

function concreteSteps(path: string): readonly (string | number)[] | undefined {
  return parseJsonPath(path)?.map((step) =>
    step.kind === 'key' ? step.key : step.kind === 'index' ? step.index : '*',
  );
}

function matchesStep(step: JsonPathStep, actual: string | number | undefined): boolean {
  if (step.kind === 'anything') return actual !== undefined;
  return actual === (step.kind === 'key' ? step.key : step.index);
}

/** The nodes that a pattern names, in document order; empty where it names none or is no plain path. */
export function selectJsonPath(node: JsonNode, pattern: string): readonly JsonNode[] {
  const steps = parseJsonPath(pattern);
  if (steps === undefined) return [];
  let selected: JsonNode[] = [node];
  for (const step of steps) selected = selected.flatMap((current) => childrenAt(current, step));
  return selected;
}

function childrenAt(node: JsonNode, step: JsonPathStep): readonly JsonNode[] {
  if (node.kind === 'array') {
    if (step.kind === 'anything') return node.items;
    const item = step.kind === 'index' ? node.items[step.index] : undefined;
    return item === undefined ? [] : [item];
  }
  if (node.kind !== 'object') return [];
  if (step.kind === 'anything') return node.members.map((member) => member.value);
  const key = step.kind === 'key' ? step.key : String(step.index);
  const value = node.members.findLast((member) => member.key === key)?.value;
  return value === undefined ? [] : [value];
}
