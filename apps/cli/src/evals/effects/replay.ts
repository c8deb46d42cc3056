import { setTimeout as delay } from 'node:timers/promises';
import type { EffectGate } from './effect-gate';
import type { Target } from './target';
import type { WantedAction } from './wanted-actions';

/** Where an agent's process dies, or which answer never reaches it. */
export const FAULTS = [
  'none',
  'dies_before_claim',
  'dies_between_claim_and_fire',
  'dies_between_fire_and_settle',
  'dies_after_settle',
  'claim_answer_lost',
  'fire_answer_lost',
  'settle_answer_lost',
] as const;
export type Fault = (typeof FAULTS)[number];

/** Thrown where the process dies; what it had not written down is gone. */
class ProcessDied extends Error {}

export interface ReplayCounts {
  claims: number;
  /** Milliseconds that each claim took. */
  readonly claimMs: number[];
  readonly answers: Record<string, number>;
}

/** Of its lease an agent may use this much before it fires: a later one would fire what others may have taken over. */
const SAFE_LEASE_SHARE = 0.5;
const MOST_ROUNDS = 200;
const PATIENCE_MS = 20;

/**
 * An agent that wants one action done and dies once on the way. Started anew it knows nothing but what it wants, and takes a
 * new attempt id; told to `reconcile` it looks at the target.
 */
export async function replay(
  action: WantedAction,
  fault: Fault,
  replica: string,
  gate: EffectGate,
  target: Target,
  counts: ReplayCounts,
): Promise<void> {
  let pending: Fault = fault;
  for (let round = 1; round <= MOST_ROUNDS; round += 1) {
    try {
      if (await once(action, pending, `${replica} ${String(round)}`, gate, target, counts)) return;
      await delay(PATIENCE_MS);
    } catch (error) {
      if (!(error instanceof ProcessDied)) throw error;
      pending = 'none';
    }
  }
  throw new Error(`${action.tool} of ${action.session} came to no end in ${String(MOST_ROUNDS)} rounds`);
}

/** True when the action is done, by this process or another. */
async function once(
  action: WantedAction,
  fault: Fault,
  attemptId: string,
  gate: EffectGate,
  target: Target,
  counts: ReplayCounts,
): Promise<boolean> {
  if (fault === 'dies_before_claim') throw new ProcessDied();
  const startedAt = performance.now();
  const ask = async () => {
    const sentAt = performance.now();
    const claimed = await gate.claim({ ...action, attemptId });
    counts.claims += 1;
    counts.claimMs.push(performance.now() - sentAt);
    return claimed;
  };
  if (fault === 'claim_answer_lost') await ask();
  const { answer, effectId } = await ask();
  counts.answers[answer] = (counts.answers[answer] ?? 0) + 1;
  if (answer === 'duplicate') return true;
  if (answer === 'conflict') throw new Error(`${action.tool} of ${action.session} is in conflict with itself`);
  if (answer === 'in_flight' || effectId === undefined) return false;
  if (answer === 'reconcile') {
    const isApplied = target.shows(action);
    const evidence = isApplied ? 'the target shows it' : 'the target does not show it';
    await gate.reconcile(effectId, isApplied ? 'succeeded' : 'failed', evidence);
    return false;
  }
  if (fault === 'dies_between_claim_and_fire') throw new ProcessDied();
  if (performance.now() - startedAt > gate.leaseMs * SAFE_LEASE_SHARE) {
    await gate.settle(effectId, attemptId, 'failed');
    return false;
  }
  await target.apply(action);
  if (fault === 'dies_between_fire_and_settle') throw new ProcessDied();
  if (fault === 'fire_answer_lost') {
    await gate.settle(effectId, attemptId, 'unknown');
    throw new ProcessDied();
  }
  await gate.settle(effectId, attemptId, 'succeeded');
  if (fault === 'settle_answer_lost') await gate.settle(effectId, attemptId, 'succeeded');
  if (fault === 'dies_after_settle') throw new ProcessDied();
  return true;
}
