import type { Fault } from './replay';
import { Target } from './target';
import type { WantedAction } from './wanted-actions';

export interface PeerFigures {
  readonly duplicates: number;
  readonly lost: number;
  readonly wrongly_blocked: number;
}

export interface FaultyAction {
  readonly action: WantedAction;
  readonly fault: Fault;
}

/** Faults after which an agent without a ledger does it all over again. */
const APPLIED_AND_FORGOTTEN: ReadonlySet<Fault> = new Set<Fault>([
  'dies_between_fire_and_settle',
  'dies_after_settle',
  'fire_answer_lost',
]);

/** Nothing in front of the target: whoever starts anew fires anew, and so does whoever else wants the same. */
export async function withoutGate(work: readonly FaultyAction[]): Promise<PeerFigures> {
  const target = new Target();
  for (const { action, fault } of work) {
    await target.apply(action);
    if (APPLIED_AND_FORGOTTEN.has(fault)) await target.apply(action);
  }
  return { ...target.compareWith(unique(work)), wrongly_blocked: 0 };
}

/** The payload remembered once the call has answered: a crash in between forgets it, and a wanted repeat is blocked. */
export async function payloadDedup(
  work: readonly FaultyAction[],
  recorded: readonly WantedAction[],
): Promise<PeerFigures> {
  const target = new Target();
  const seen = new Set<string>();
  const payloadOf = ({ session, tool, argumentsText }: WantedAction): string =>
    JSON.stringify([session, tool, argumentsText]);
  for (const { action, fault } of work) {
    const payload = payloadOf(action);
    if (seen.has(payload)) continue;
    await target.apply(action);
    if (fault === 'dies_between_fire_and_settle' || fault === 'fire_answer_lost') await target.apply(action);
    seen.add(payload);
  }
  let blocked = 0;
  for (const action of recorded) {
    const payload = payloadOf(action);
    if (seen.has(payload)) blocked += 1;
    seen.add(payload);
  }
  return { ...target.compareWith(unique(work)), wrongly_blocked: blocked };
}

function unique(work: readonly FaultyAction[]): readonly WantedAction[] {
  return [...new Set(work.map(({ action }) => action))];
}
