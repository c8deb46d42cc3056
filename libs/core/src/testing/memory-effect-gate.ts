import type { ToolContracts } from '../classify/tool-contract';
import { sha256Hex } from '../digest';
import { answerClaim, type AnsweredClaim, type ClaimedCall, describeClaim, isClosedStatus } from '../effects';
import type { EffectStatus } from '../terms';

/** A claim of one session in memory. */
export interface GateClaim extends ClaimedCall {
  readonly session: string;
  readonly attemptId: string;
  readonly leaseMs: number;
  /** Empty for the first one. */
  readonly repeatLabel: string;
}

export interface GateAnswer extends AnsweredClaim {
  /** Undefined for a call that only reads. */
  readonly effectId: string | undefined;
  readonly gated: boolean;
}

interface Ledgered {
  readonly id: string;
  readonly place: string | undefined;
  readonly digest: string;
  readonly attemptId: string;
  status: EffectStatus;
  leaseUntil: number;
}

/** The effect gate of one agent in memory: the rules of the real one, for tests and for using the core without servers. */
export class MemoryEffectGate {
  private readonly effects = new Map<string, Ledgered>();
  private readonly byPlace = new Map<string, Ledgered>();

  /** `now` in milliseconds, from any clock that only goes forward. */
  constructor(
    private readonly contracts: ToolContracts,
    private readonly now: () => number,
  ) {}

  claim(claim: GateClaim): GateAnswer {
    const described = describeClaim(this.contracts, claim);
    if (described.kind === 'read')
      return { answer: 'proceed', reason: described.evidence, effectId: undefined, gated: false };
    const { gated, key, argumentsDigest: digest } = described;
    const scope = described.scope === 'agent' ? '' : claim.session;
    const place = gated ? JSON.stringify([scope, described.action, key, claim.repeatLabel]) : undefined;
    const known = place === undefined ? undefined : this.byPlace.get(place);
    const leaseLives = known !== undefined && known.leaseUntil > this.now();
    const { answer, reason } =
      place === undefined
        ? { answer: 'proceed' as const, reason: described.evidence }
        : answerClaim(
            claim.attemptId,
            known === undefined
              ? undefined
              : {
                  status: known.status,
                  attemptId: known.attemptId,
                  sameParameters: known.digest === digest,
                  leaseLives,
                },
          );
    if (answer !== 'proceed') {
      if (answer === 'reconcile' && known !== undefined) known.status = 'unknown';
      return { answer, reason, effectId: known?.id, gated };
    }
    const isRepeated = known !== undefined && leaseLives && !isClosedStatus(known.status);
    return { answer, reason, effectId: isRepeated ? known.id : this.ledger(claim, place, digest), gated };
  }

  /** False when the attempt was never told to proceed with the effect, or somebody had decided otherwise. */
  settle(effectId: string, attemptId: string, status: EffectStatus): boolean {
    const effect = this.effects.get(effectId);
    if (effect?.attemptId !== attemptId) return false;
    return this.close(effect, status);
  }

  /** By somebody who looked at the target. False while an attempt holds the effect, or where it is closed otherwise. */
  reconcile(effectId: string, status: EffectStatus): boolean {
    const effect = this.effects.get(effectId);
    if (effect === undefined) return false;
    if (!isClosedStatus(effect.status) && effect.leaseUntil > this.now()) return false;
    return this.close(effect, status);
  }

  private close(effect: Ledgered, status: EffectStatus): boolean {
    if (isClosedStatus(effect.status)) return effect.status === status;
    effect.status = status;
    effect.leaseUntil = 0;
    return true;
  }

  private ledger({ attemptId, leaseMs }: GateClaim, place: string | undefined, digest: string): string {
    const id = sha256Hex(String(this.effects.size)).slice(0, 16);
    const effect: Ledgered = { id, place, digest, attemptId, status: 'intended', leaseUntil: this.now() + leaseMs };
    this.effects.set(id, effect);
    if (place !== undefined) this.byPlace.set(place, effect);
    return id;
  }
}
