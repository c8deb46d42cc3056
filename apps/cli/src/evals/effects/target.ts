import { setImmediate as turn } from 'node:timers/promises';
import type { WantedAction } from './wanted-actions';

/** What actions act on. It deduplicates nothing; it can be looked at. */
export class Target {
  private readonly applied = new Map<string, number>();

  async apply(action: WantedAction): Promise<void> {
    await turn();
    const identity = identityOf(action);
    this.applied.set(identity, (this.applied.get(identity) ?? 0) + 1);
  }

  shows(action: WantedAction): boolean {
    return this.applied.has(identityOf(action));
  }

  /** How often each action was applied too often, and how many never were. */
  compareWith(wanted: readonly WantedAction[]): { readonly duplicates: number; readonly lost: number } {
    let duplicates = 0;
    let lost = 0;
    for (const action of wanted) {
      const times = this.applied.get(identityOf(action)) ?? 0;
      if (times === 0) lost += 1;
      duplicates += Math.max(0, times - 1);
    }
    return { duplicates, lost };
  }
}

export function identityOf({ session, tool, argumentsText, repeatLabel }: WantedAction): string {
  return JSON.stringify([session, tool, argumentsText, repeatLabel]);
}
