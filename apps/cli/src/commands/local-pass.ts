import { randomBytes } from 'node:crypto';
import {
  extractiveSummarizer,
  finish,
  type Outcome,
  type PassRequest,
  prepare,
  type Receipt,
  secure,
  type SessionState,
  type TokenCounter,
  verifyReceipt,
} from '@holdfast/core';
import { MemorySessionStore } from '@holdfast/core/testing';
import type { PhaseTime } from '../report/pass-report';

/** A pass in memory, with what it left in the store and the time of each phase. */
export interface LocalPass {
  readonly outcome: Outcome;
  readonly session: SessionState;
  readonly phases: readonly PhaseTime[];
}

/** Runs one pass in this process over an empty session: nothing is kept when the process ends. */
export async function runLocalPass(
  request: Omit<PassRequest, 'sealKey'>,
  sessionId: string,
  counter: TokenCounter,
): Promise<LocalPass> {
  const store = new MemorySessionStore(sessionId);
  const phases: PhaseTime[] = [];
  const timed = async <T>(phase: string, work: () => Promise<T>): Promise<T> => {
    const start = performance.now();
    const answer = await work();
    phases.push({ phase, durationMs: performance.now() - start });
    return answer;
  };
  // Drawn anew for each run: the session ends with the process, so nobody has to recognise the seal later.
  const sealed = { ...request, sealKey: randomBytes(32) };
  const initial = await store.load();
  const prepared = await timed('classify and plan', () => prepare(sealed, initial, counter));
  if (prepared.kind === 'refused') return { outcome: prepared.outcome, session: initial, phases };
  const secured = await timed('secure', () => secure(prepared.batch, prepared.plan, store));
  const ports = { store, counter, summarizer: extractiveSummarizer };
  const outcome = await timed('summarize and verify', () => finish(prepared, secured, ports));
  return { outcome, session: await store.load(), phases };
}

/** The receipt of an outcome, whatever it is. */
export function receiptOf(outcome: Outcome): Receipt | undefined {
  return outcome.outcome === 'compacted' ? outcome.proven.receipt : outcome.receipt;
}

/** Findings of the handed-out window's receipt; undefined when none was handed out. */
export function findingsOf(outcome: Outcome, source: string): ReturnType<typeof verifyReceipt> | undefined {
  if (outcome.outcome !== 'compacted') return undefined;
  return verifyReceipt(outcome.proven.receipt, { input: source, output: outcome.proven.window });
}
