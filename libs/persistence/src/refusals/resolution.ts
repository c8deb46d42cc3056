import type { EffectStatus, MarkFlags, ToolContract } from '@holdfast/core';

/** A change that is meant to let refused passes pass. `session` is the caller's own id of one. */
export type Resolution =
  | { readonly kind: 'declare_tool'; readonly tool: string; readonly contract: ToolContract }
  | { readonly kind: 'enable_recall' }
  | {
      readonly kind: 'raise_budget';
      readonly scope: 'pass' | 'session' | 'agent';
      readonly session?: string;
      readonly budgetTokens: number;
    }
  /** Without a target each session asks for what its own refusal says can be had. */
  | { readonly kind: 'lower_target'; readonly session?: string; readonly reclaimTargetTokens?: number }
  | {
      readonly kind: 'mark_element';
      readonly session: string;
      readonly elementId: string;
      readonly flags: Pick<MarkFlags, 'regenerable' | 'idempotent' | 'task_critical'>;
      readonly source?: string;
      readonly reason: string;
    }
  | {
      readonly kind: 'externalize_element';
      readonly session: string;
      readonly elementId: string;
      readonly reason: string;
    }
  | {
      readonly kind: 'attach_effect';
      readonly session: string;
      readonly elementId: string;
      readonly action: string;
      readonly target: string;
      readonly idempotencyKey?: string;
      readonly status: EffectStatus;
      readonly reason: string;
    }
  | {
      readonly kind: 'release_record';
      readonly session: string;
      /** `R<number>`. */
      readonly ref: string;
      readonly reason: string;
    }
  | { readonly kind: 'adopt_best_proven'; readonly compactionId: string }
  /** The cause was taken away elsewhere. */
  | { readonly kind: 'retry'; readonly session?: string; readonly reason: string };

export type MarkResolution = Extract<Resolution, { readonly elementId: string }>;

export function isMark(resolution: Resolution): resolution is MarkResolution {
  return 'elementId' in resolution;
}

/** What a resolution says of its element. */
export function flagsOf(resolution: MarkResolution): MarkFlags {
  switch (resolution.kind) {
    case 'mark_element':
      return resolution.flags;
    case 'externalize_element':
      return { regenerable: false, task_critical: true };
    case 'attach_effect': {
      const { action, target, idempotencyKey, status } = resolution;
      return { action, target, status, ...(idempotencyKey === undefined ? {} : { idempotency_key: idempotencyKey }) };
    }
  }
}

/** What the history of a group and the audit log say of a resolution: names, ids and limits, no content. */
export function detailOf(resolution: Resolution): Readonly<Record<string, unknown>> {
  const { kind } = resolution;
  switch (kind) {
    case 'declare_tool':
      return { resolution: kind, tool: resolution.tool, effect: resolution.contract.effect };
    case 'raise_budget':
      return { resolution: kind, scope: resolution.scope, budget_tokens: resolution.budgetTokens };
    case 'lower_target':
      return { resolution: kind, reclaim_target_tokens: resolution.reclaimTargetTokens ?? null };
    case 'release_record':
      return { resolution: kind, ref: resolution.ref };
    case 'adopt_best_proven':
      return { resolution: kind, compaction: resolution.compactionId };
    case 'mark_element':
      return { resolution: kind, element_id: resolution.elementId, set: resolution.flags };
    case 'externalize_element':
    case 'attach_effect':
      return { resolution: kind, element_id: resolution.elementId };
    default:
      return { resolution: kind };
  }
}

/** Name of the one session that a resolution is about; undefined where it is about all that were refused. */
export function sessionOf(resolution: Resolution): string | undefined {
  return 'session' in resolution ? resolution.session : undefined;
}
