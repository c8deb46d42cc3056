import { isClosedStatus } from '../effects/merge-effect';
import type { EffectDraft, SessionState } from '../ports';
import type { EffectStatus } from '../terms';

/** What a window says of a claimed effect otherwise than whoever settled it. */
export interface EffectDifference {
  readonly occurrence: string;
  readonly action: string;
  readonly target: string;
  readonly ledger: EffectStatus;
  readonly window: EffectStatus;
  /** The window's evidence. */
  readonly evidence: string;
}

/** Claimed effects whose call no window has shown yet, found by tool and key, oldest first, each once. */
export class UnseenClaims {
  private readonly byKey = new Map<string, EffectDraft[]>();

  constructor(known: Iterable<EffectDraft>) {
    for (const effect of known) {
      if (effect.claim === undefined || effect.claim !== effect.occurrence) continue;
      const identity = identityOf(effect);
      if (identity === undefined) continue;
      const same = this.byKey.get(identity);
      if (same === undefined) this.byKey.set(identity, [effect]);
      else same.push(effect);
    }
  }

  take(draft: EffectDraft): EffectDraft | undefined {
    const identity = identityOf(draft);
    return identity === undefined ? undefined : this.byKey.get(identity)?.shift();
  }
}

function identityOf({ action, idempotencyKey }: EffectDraft): string | undefined {
  return idempotencyKey === undefined ? undefined : JSON.stringify([action, idempotencyKey]);
}

/** The difference between a claimed effect and what the window shows of it; undefined where they agree. */
export function differenceOf(claimed: EffectDraft, draft: EffectDraft): EffectDifference | undefined {
  if (!isClosedStatus(claimed.status) || !isClosedStatus(draft.status) || claimed.status === draft.status)
    return undefined;
  const { occurrence, evidence } = draft;
  return {
    ...{ occurrence, evidence },
    ...{ action: claimed.action, target: claimed.target, ledger: claimed.status, window: draft.status },
  };
}

/** The session with the effects that this window showed for the first time under the ids of their calls. */
export function withSeenClaims(session: SessionState, drafts: readonly EffectDraft[]): SessionState {
  const seen = new Map(drafts.flatMap(({ claim, occurrence }) => (claim === undefined ? [] : [[claim, occurrence]])));
  if (seen.size === 0) return session;
  return {
    ...session,
    effects: session.effects.map((effect) => ({
      ...effect,
      occurrence: seen.get(effect.occurrence) ?? effect.occurrence,
    })),
  };
}
