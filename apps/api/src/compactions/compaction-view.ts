import type { CompactionResponse } from '@holdfast/contracts';
import type { Receipt } from '@holdfast/core';
import type { CompactionResult, StoredCompaction } from '../ports/repositories';
import { incidentView } from '../incidents/incident-view';
import { refusalView } from './refusal-view';

export interface CompactionExtras {
  readonly recallTool: CompactionResponse['recall_tool'];
}

/** Where a compaction is found. */
export function compactionUrl(id: string): string {
  return `/v1/compactions/${id}`;
}

/** A compaction on the wire, without the parts that are spliced in. */
export function compactionView(
  { compaction, receiptJson, refusal, incidents }: CompactionResult,
  { recallTool }: CompactionExtras,
): CompactionResponse {
  const receipt = receiptJson === undefined ? undefined : (JSON.parse(receiptJson) as Receipt);
  const url = compactionUrl(compaction.id);
  return {
    ...facts(compaction),
    tokens: {
      before: compaction.tokensBefore ?? receipt?.tokens.before ?? null,
      after: compaction.tokensAfter ?? receipt?.tokens.after ?? null,
      system: receipt?.tokens.system ?? null,
      pinned: compaction.tokensPinned ?? receipt?.tokens.pinned ?? null,
      floor: receipt?.tokens.floor ?? refusal?.floor_tokens ?? null,
    },
    counts: receipt === undefined ? null : { classes: { ...receipt.classes }, operations: { ...receipt.operations } },
    sealed_fields: receipt?.sealed_fields ?? null,
    refusal: refusal === undefined ? null : refusalView(refusal),
    drift_incidents: incidents.map(incidentView),
    receipt_hash: receipt?.hash ?? null,
    recall_tool: recallTool,
    status_url: url,
    links: {
      window: `${url}/window`,
      receipt: `${url}/receipt`,
      events: `${url}/events`,
      adopt: `${url}/adopt`,
      session: `/v1/agents/${encodeURIComponent(compaction.agentId)}/sessions/${encodeURIComponent(compaction.session)}`,
    },
  };
}

function facts(compaction: StoredCompaction) {
  const { bestProvenWindowId, replacedPrefix } = compaction;
  return {
    id: compaction.id,
    agent: compaction.agentId,
    session: compaction.session,
    seq: compaction.seq,
    status: compaction.status,
    phase: compaction.phase,
    outcome: compaction.outcome ?? null,
    reason: compaction.reason ?? null,
    error_code: compaction.errorCode ?? null,
    mode: compaction.mode,
    format: compaction.format,
    counter: compaction.counter,
    policy_version: compaction.policyVersion,
    base_version: compaction.baseVersion ?? null,
    retry_of: compaction.retryOf ?? null,
    version: compaction.version ?? null,
    budget_tokens: compaction.budgetTokens,
    aim_tokens: compaction.aimTokens ?? null,
    reclaim_target_tokens: compaction.reclaimTargetTokens ?? null,
    target_met: compaction.targetMet ?? null,
    phase_ms: { ...compaction.phaseMs },
    replaced_prefix: replacedPrefix === undefined ? null : { ...replacedPrefix },
    notices: compaction.notices.map(({ code, message, elementId }) => ({
      code,
      message,
      element_id: elementId ?? null,
    })),
    best_proven:
      bestProvenWindowId === undefined
        ? null
        : { window_id: bestProvenWindowId, adopted_at: compaction.adoptedAt ?? null },
    accepted_at: compaction.acceptedAt,
    secured_at: compaction.securedAt ?? null,
    finished_at: compaction.finishedAt ?? null,
  };
}
