import type { RefusalGroupResponse, RefusalMemberResponse, RefusalStepResponse } from '@holdfast/contracts';
import { refusalView, repairView } from '../compactions/refusal-view';
import type { RefusalStep, StoredRefusal, StoredRefusalGroup } from '../ports/repositories';

/** A group of refusals on the wire. */
export function refusalGroupView(group: StoredRefusalGroup): RefusalGroupResponse {
  return {
    id: group.id,
    agent: group.agentId,
    code: group.code,
    cause: group.cause,
    tools: [...group.tools],
    status: group.status,
    severity: group.severity,
    assignee: group.assignee ?? null,
    count: group.count,
    sessions: group.sessions,
    headroom_tokens: group.headroomTokens ?? null,
    repairs: group.repairs.map(repairView),
    first_seen_at: group.firstSeenAt,
    last_seen_at: group.lastSeenAt,
    acknowledged_at: group.acknowledgedAt ?? null,
    resolved_at: group.resolvedAt ?? null,
    resolution: group.resolution ?? null,
    retries_open: group.retriesOpen,
  };
}

export function refusalMemberView(member: StoredRefusal): RefusalMemberResponse {
  return {
    id: member.id,
    compaction_id: member.compactionId,
    session_id: member.sessionId,
    session: member.session,
    status: member.status,
    refusal: refusalView(member.refusal),
    created_at: member.createdAt,
    resolved_at: member.resolvedAt ?? null,
  };
}

export function refusalStepView(step: RefusalStep): RefusalStepResponse {
  return { ...step, comment: step.comment ?? null, detail: { ...step.detail } };
}
