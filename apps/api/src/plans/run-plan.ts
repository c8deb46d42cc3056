import {
  countTerms,
  ELEMENT_CLASSES,
  elementAccount,
  findRepairs,
  OPERATIONS,
  type PassRequest,
  prepare,
  type Prepared,
  type Refusal,
  type SessionState,
  type TokenCounter,
} from '@holdfast/core';
import type { PlanResponse, RefusalResponse } from '@holdfast/contracts';
import { refusalView } from '../compactions/refusal-view';

/** Everything that a plan needs; can be handed to a thread. */
export interface PlanTask {
  readonly request: Omit<PassRequest, 'source'>;
  readonly source: Uint8Array;
  readonly model: string | undefined;
  readonly session: SessionState;
  /** Texts that are counted beside the window, with its counter. */
  readonly countedTexts: readonly string[];
}

export type PlanAnswer = Pick<
  PlanResponse,
  'counter' | 'changes' | 'tokens' | 'counts' | 'decisions' | 'records' | 'effects' | 'notices' | 'refusal'
> & { readonly countedTokens: readonly number[] };

/** What a pass over this window would do. Writes nothing; throws InvalidWindowError when the window cannot be read. */
export async function runPlan(task: PlanTask, counter: TokenCounter): Promise<PlanAnswer> {
  // Checked when it was read; the byte order mark, if any, is no part of a window.
  const source = new TextDecoder('utf-8', { ignoreBOM: true }).decode(task.source);
  const prepared = await prepare({ ...task.request, source }, task.session, counter);
  const countedTokens = await counter.count(task.countedTexts);
  const named = { name: counter.name, exact: counter.exact };
  return prepared.kind === 'prepared'
    ? { ...(await planAnswer(prepared, counter)), counter: named, countedTokens }
    : { ...nothingPlanned(task.request, prepared.outcome), counter: named, countedTokens };
}

async function planAnswer(
  prepared: Prepared,
  counter: TokenCounter,
): Promise<Omit<PlanAnswer, 'counter' | 'countedTokens'>> {
  const { plan, facts, classification } = prepared;
  const decisions = classification.elements.map((classified, index) => {
    const planned = plan.elements[index];
    const operation = planned?.operation ?? 'keep';
    const { tokens } = classified.element;
    return {
      ...elementAccount(classified),
      operation,
      tokens_before: tokens,
      tokens_after: operation === 'keep' ? tokens : 0,
      ...(planned?.handle === undefined ? {} : { handle: planned.handle }),
    };
  });
  const refusal = prepared.refusal ?? (await unreachable(prepared, counter));
  return {
    changes: plan.changes,
    tokens: {
      before: facts.tokensBefore,
      after: plan.tokensAfter,
      system: facts.tokensSystem,
      floor: plan.floorTokens,
      aim: plan.aimTokens,
      budget: plan.budgetTokens,
    },
    counts: counted(decisions),
    decisions,
    records: classification.records.map(({ elementId, kind, label, trust }) => ({
      element_id: elementId,
      kind,
      label,
      trust,
    })),
    effects: classification.effects.map(({ occurrence, action, target, kind, status, evidence }) => ({
      occurrence,
      action,
      target,
      kind,
      status,
      evidence,
    })),
    notices: facts.notices.map(({ code, message, elementId }) => ({ code, message, element_id: elementId ?? null })),
    refusal: refusal === undefined ? null : refusalView(refusal),
  };
}

/** The plan is an upper bound, so a pass may still fit by a little where this says that it does not. */
async function unreachable(prepared: Prepared, counter: TokenCounter): Promise<Refusal | undefined> {
  const { plan, request, facts } = prepared;
  const target = request.reclaimTargetTokens;
  const allowed = target === undefined ? Number.POSITIVE_INFINITY : facts.tokensBefore - target;
  const needed = Math.min(request.budgetTokens, allowed);
  if (plan.tokensAfter <= needed) return undefined;
  const overBudget = plan.tokensAfter > request.budgetTokens;
  return {
    code: overBudget ? 'BUDGET_UNREACHABLE' : 'TARGET_UNREACHABLE',
    message: `The plan comes to at most ${plan.tokensAfter} tokens, ${plan.tokensAfter - needed} above what was asked for`,
    elements: [],
    floor_tokens: plan.floorTokens,
    shortfall_tokens: plan.tokensAfter - needed,
    headroom_tokens: request.budgetTokens - facts.tokensBefore,
    repairs: await findRepairs(prepared, needed, plan.tokensAfter, counter),
  };
}

function nothingPlanned(
  { aimTokens, budgetTokens }: PlanTask['request'],
  outcome: { readonly outcome: string; readonly refusal?: Refusal },
): Omit<PlanAnswer, 'counter' | 'countedTokens'> {
  const refusal: RefusalResponse | null = outcome.refusal === undefined ? null : refusalView(outcome.refusal);
  return {
    changes: false,
    tokens: { before: 0, after: 0, system: 0, floor: 0, aim: aimTokens ?? 0, budget: budgetTokens },
    counts: counted([]),
    decisions: [],
    records: [],
    effects: [],
    notices: [],
    refusal,
  };
}

function counted(decisions: PlanAnswer['decisions']): PlanAnswer['counts'] {
  return {
    classes: countTerms(
      ELEMENT_CLASSES,
      decisions.map((decision) => decision.class),
    ),
    operations: countTerms(
      OPERATIONS,
      decisions.map((decision) => decision.operation),
    ),
  };
}
