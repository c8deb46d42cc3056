import type { AlertResponse, SilenceResponse } from '@holdfast/contracts';
import type { StoredAlert, StoredSilence } from '../ports/repositories';

export function alertView(alert: StoredAlert): AlertResponse {
  return {
    id: alert.id,
    rule: { ...alert.rule },
    labels: { ...alert.labels },
    severity: alert.tier,
    state: alert.state,
    count: alert.count,
    detail: { ...alert.detail },
    first_at: alert.firstAt,
    last_at: alert.lastAt,
    fired_at: alert.firedAt ?? null,
    acknowledged_at: alert.acknowledgedAt ?? null,
    acknowledged_by: alert.acknowledgedBy ?? null,
    resolved_at: alert.resolvedAt ?? null,
    silenced_by: alert.silencedBy ?? null,
  };
}

export function silenceView(silence: StoredSilence): SilenceResponse {
  return {
    id: silence.id,
    matchers: silence.matchers.map((matcher) => ({ ...matcher })),
    starts_at: silence.startsAt,
    ends_at: silence.endsAt,
    comment: silence.comment,
    author: silence.author,
    state: silence.state,
    created_at: silence.createdAt,
  };
}
