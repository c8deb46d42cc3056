import {
  ELEMENT_CLASSES,
  findRepairs,
  type FormatName,
  type Mode,
  OPERATIONS,
  type Policy,
  prepare,
  type Prepared,
  type RecallSetting,
  type Refusal,
  type SessionState,
  type TokenCounter,
  type ToolContracts,
} from '@holdfast/core';
import type { PlanResponse, RefusalResponse } from '@holdfast/contracts';
import { refusalView } from '../compactions/refusal-view';

/** Everything that a plan needs; can be handed to a thread. */
export interface PlanTask {
  readonly format: FormatName;
  readonly source: Uint8Array;
  readonly mode: Mode;
  readonly recall: RecallSetting;
  readonly contracts: ToolContracts;
  readonly policy: Policy;
  readonly budgetTokens: number;
  readonly aimTokens: number | undefined;
  readonly reclaimTargetTokens: number | undefined;
  readonly model: string | undefined;
  readonly session: SessionState;
  readonly sealKey: Uint8Array;
  readonly limits: { readonly maxDepth: number; readonly maxElements: number };
  /** Texts that are counted beside the window, with its counter. */
  readonly countedTexts: readonly string[];
}

export type PlanAnswer = Pick<
  PlanResponse,
  'counter' | 'changes' | 'tokens' | 'counts' | 'decisions' | 'records' | 'effects' | 'notices' | 'refusal'
> & { readonly countedTokens: readonly number[] };

/** What a pass over this window would do. Writes nothing; throws InvalidWindowError when the window cannot be read. */
export async function runPlan(task: PlanTask, counter: TokenCounter): Promise<PlanAnswer> {
  const prepared = await prepare(
    {
      format: task.format,
      // Checked when it was read; the byte order mark, if any, is no part of a window.
      source: new TextDecoder('utf-8', { ignoreBOM: true }).decode(task.source),
      mode: task.mode,
      recall: task.recall,
      contracts: task.contracts,
      policy: task.policy,
      budgetTokens: task.budgetTokens,
      ...(task.aimTokens === undefined ? {} : { aimTokens: task.aimTokens }),
      ...(task.reclaimTargetTokens === undefined ? {} : { reclaimTargetTokens: task.reclaimTargetTokens }),
      sealKey: task.sealKey,
      limits: task.limits,
    },
    task.session,
    counter,
  );
  const countedTokens = await counter.count(task.countedTexts);
  const named = { name: counter.name, exact: counter.exact };
  return prepared.kind === 'prepared'
    ? { ...(await planAnswer(prepared, counter)), counter: named, countedTokens }
    : { ...nothingPlanned(task, prepared.outcome), counter: named, countedTokens };
}

async function planAnswer(
  prepared: Prepared,
  counter: TokenCounter,
): Promise<Omit<PlanAnswer, 'counter' | 'countedTokens'>> {
  const { plan, facts, classification } = prepared;
  const classes = Object.fromEntries(ELEMENT_CLASSES.map((name) => [name, 0])) as Record<string, number>;
  const operations = Object.fromEntries(OPERATIONS.map((name) => [name, 0])) as Record<string, number>;
  const decisions = classification.elements.map((classified, index) => {
    const planned = plan.elements[index];
    const operation = planned?.operation ?? 'keep';
    classes[classified.class] = (classes[classified.class] ?? 0) + 1;
    operations[operation] = (operations[operation] ?? 0) + 1;
    const { element } = classified;
    return {
      element_id: element.id,
      path: element.path,
      kind: element.kind,
      role: element.role,
      class: classified.class,
      view: classified.view,
      rule: classified.rule,
      evidence: classified.evidence,
      ...(classified.conflict === undefined ? {} : { conflict: classified.conflict }),
      operation,
      tokens_before: element.tokens,
      tokens_after: operation === 'keep' ? element.tokens : 0,
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
    counts: { classes, operations } as PlanAnswer['counts'],
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
  task: PlanTask,
  outcome: { readonly outcome: string; readonly refusal?: Refusal },
): Omit<PlanAnswer, 'counter' | 'countedTokens'> {
  const zero = <Term extends string>(terms: readonly Term[]): Record<Term, number> =>
    Object.fromEntries(terms.map((term) => [term, 0])) as Record<Term, number>;
  const refusal: RefusalResponse | null = outcome.refusal === undefined ? null : refusalView(outcome.refusal);
  return {
    changes: false,
    tokens: { before: 0, after: 0, system: 0, floor: 0, aim: task.aimTokens ?? 0, budget: task.budgetTokens },
    counts: { classes: zero(ELEMENT_CLASSES), operations: zero(OPERATIONS) },
    decisions: [],
    records: [],
    effects: [],
    notices: [],
    refusal,
  };
}
