/**
 * One promise of a port, as an implementation has to keep it. `run` rejects with what was broken; any test runner can
 * call it. A fresh subject is made for every case.
 */
export interface ConformanceCase<Subject> {
  readonly name: string;
  run(subject: Subject): Promise<void>;
}

/** Throws when a promise is broken. */
export function demand(holds: boolean, promise: string): asserts holds {
  if (!holds) throw new Error(`Conformance: ${promise}`);
}

/** Throws when two values differ as JSON. */
export function demandEqual(actual: unknown, expected: unknown, promise: string): void {
  const [left, right] = [JSON.stringify(actual), JSON.stringify(expected)];
  demand(left === right, `${promise}: expected ${right}, got ${left}`);
}

/** The code of the error that an action rejects with. */
export async function codeOf(action: () => Promise<unknown>): Promise<string> {
  try {
    await action();
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error);
  }
  return 'no error';
}
