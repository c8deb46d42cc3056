import type { DriftIncidentResponse } from '@holdfast/contracts';
import type { StoredIncident } from '../ports/repositories';

/** A drift incident on the wire. */
export function incidentView(incident: StoredIncident): DriftIncidentResponse {
  const { id, kind, severity, expected, observed, subject, path, message } = incident;
  return {
    id,
    agent: incident.agentId,
    session_id: incident.sessionId ?? null,
    compaction_id: incident.compactionId ?? null,
    ...{ kind, severity, expected, observed, subject, path, message },
    occurred_at: incident.occurredAt,
  };
}
