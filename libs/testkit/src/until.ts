import { setTimeout as delay } from 'node:timers/promises';

/**
 * Asks again every `intervalMs` until `probe` answers something other than undefined; throws after `deadlineMs` with
 * what `describe` says. Waits for a state, never for a time.
 */
export async function until<T>(
  probe: () => T | undefined | Promise<T | undefined>,
  { deadlineMs = 20_000, intervalMs = 20, describe = () => 'the awaited state' }: UntilOptions = {},
): Promise<T> {
  const deadline = Date.now() + deadlineMs;
  for (;;) {
    const answer = await probe();
    if (answer !== undefined) return answer;
    if (Date.now() > deadline) throw new Error(`gave up after ${deadlineMs} ms: ${describe()}`);
    await delay(intervalMs);
  }
}

export interface UntilOptions {
  readonly deadlineMs?: number;
  readonly intervalMs?: number;
  readonly describe?: () => string;
}
