import type { WindowProblem, WindowProblemCode } from '../errors';

export interface PlacedCall {
  readonly id: string;
  readonly path: string;
}

/**
 * The rule of most APIs on calls and results, message by message: results stand directly behind the message whose calls
 * they answer, one for each call. Calls of the last message may still run.
 */
export class DirectPairs {
  readonly problems: WindowProblem[] = [];
  private waiting: PlacedCall[] = [];

  report(code: WindowProblemCode, path: string, message: string): void {
    this.problems.push({ code, path, message });
  }

  /** A result behind the message that was ended last. */
  answer(id: string, path: string): void {
    const position = this.waiting.findIndex((call) => call.id === id);
    if (position < 0) this.report('TOOL_RESULT_ORPHAN', path, `No call directly before it waits for "${id}"`);
    else this.waiting.splice(position, 1);
  }

  /** A message that is no result, with its calls: whatever still waited has no result. */
  begin(calls: readonly PlacedCall[]): void {
    for (const { id, path } of this.waiting) {
      this.report('TOOL_RESULT_MISSING', path, `The call "${id}" has no result behind it`);
    }
    calls.forEach(({ id, path }, place) => {
      if (calls.findIndex((other) => other.id === id) < place) {
        this.report('ELEMENT_ID_DUPLICATE', path, `Two calls of one message have the id "${id}"`);
      }
    });
    this.waiting = [...calls];
  }
}
