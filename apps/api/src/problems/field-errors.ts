import type { ProblemCode, RequestError } from '@holdfast/contracts';
import { jsonPointer } from '@holdfast/core';
import type { z } from 'zod';

/** What zod found wrong with a value, as errors with pointers into `place`; `prefix` is where the value stands there. */
export function fieldErrors(
  error: z.ZodError,
  value: unknown,
  place: RequestError['in'],
  prefix: readonly string[] = [],
): readonly RequestError[] {
  const found = error.issues.flatMap((issue): RequestError[] => {
    const path = [...prefix, ...issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step))];
    const at = (code: ProblemCode, steps: readonly (string | number)[], message: string): RequestError => ({
      code,
      path: jsonPointer(steps),
      in: place,
      message,
    });
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => at('FIELD_UNKNOWN', [...path, key], 'is no field of this request'));
    }
    if (issue.code === 'invalid_union') {
      const branch = issue.errors.find((issues) => issues.length > 0)?.[0];
      return [at('FIELD_WRONG_TYPE', path, branch?.message ?? issue.message)];
    }
    if (issue.code === 'invalid_type') {
      const isMissing = valueAt(value, issue.path) === undefined;
      return [at(isMissing ? 'FIELD_MISSING' : 'FIELD_WRONG_TYPE', path, isMissing ? 'is missing' : issue.message)];
    }
    const canBeMissing = issue.code === 'invalid_value' || (issue.code === 'custom' && issue.path.length > 0);
    const isMissing = canBeMissing && valueAt(value, issue.path) === undefined;
    return [at(isMissing ? 'FIELD_MISSING' : codeOf(issue.code), path, isMissing ? 'is missing' : issue.message)];
  });
  // A value can break two rules at once (no safe integer, above the limit); one error at a place says enough.
  return found.filter(({ path }, at) => found.findIndex((other) => other.path === path) === at);
}

function codeOf(code: z.core.$ZodIssue['code']): ProblemCode {
  switch (code) {
    case 'too_big':
    case 'too_small':
    case 'not_multiple_of':
    case 'custom':
      return 'FIELD_OUT_OF_RANGE';
    default:
      return 'FIELD_INVALID';
  }
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let found = value;
  for (const step of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, step)) return undefined;
    found = (found as Record<PropertyKey, unknown>)[step];
  }
  return found;
}
