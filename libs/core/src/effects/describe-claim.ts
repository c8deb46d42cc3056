import { ContractBook } from '../classify/compiled-contract';
import { effectReader, isReadOnly } from '../classify/call-effect';
import type { ToolContracts } from '../classify/tool-contract';
import { ReadJudge } from '../contracts/likely-read';
import { createMask, secretsOfWindow, type Mask } from '../secrets';
import type { EffectKind } from '../terms';
import type { ToolCall } from '../window/element';
import { describeTarget } from './describe-target';
import { argumentsDigest, deriveIdempotencyKey } from './idempotency-key';

/** A call that an agent wants to make, as it stands in the claim. */
export interface ClaimedCall extends Pick<ToolCall, 'tool' | 'argumentsText' | 'args'> {
  /** Key of the caller's own, for a tool whose contract declares none. */
  readonly idempotencyKey: string | undefined;
  readonly target: string | undefined;
}

/** What the ledger and the gate have to know of a claimed call. */
export type ClaimDescription =
  /** The contract says that the call only reads: there is nothing to claim. */
  | { readonly kind: 'read'; readonly evidence: string }
  | {
      readonly kind: 'effect';
      readonly action: string;
      readonly target: string;
      readonly effectKind: EffectKind;
      /** Undefined where nothing names a key: recorded, never blocked. */
      readonly key: string | undefined;
      readonly keySource: 'declared' | 'derived' | 'none';
      readonly argumentsDigest: string;
      readonly scope: 'session' | 'agent';
      /** Whether claims of this key exclude each other, and why. */
      readonly gated: boolean;
      readonly evidence: string;
    };

/**
 * Masks the secrets of a call, declared by its contract or told by their shape, in what is stored of it; with the result's
 * too, where there is one.
 */
export function maskOfCall(
  sealKey: string | Uint8Array,
  contracts: ToolContracts,
  { tool, argumentsText, args }: Pick<ClaimedCall, 'tool' | 'argumentsText' | 'args'>,
  result?: string,
): Mask {
  const call = { text: argumentsText, call: { callId: '', tool, argumentsText, args } };
  const answer = { text: result ?? '', result: { callId: '', call: 0, isError: undefined } };
  return createMask(sealKey, secretsOfWindow([call, answer], contracts));
}

/**
 * Describes a call by its agent's contracts, as a pass would when it sees the call in a window: same action, target, key
 * and digest. Keys come from declared argument paths, or from the caller's own key where the contract declares none;
 * `exec` and `converging` effects and calls without a key are recorded, never blocked.
 */
export function describeClaim(contracts: ToolContracts, claimed: ClaimedCall): ClaimDescription {
  const { tool, argumentsText, args } = claimed;
  const call: ToolCall = { callId: '', tool, argumentsText, args };
  const judge = new ReadJudge({ definitions: [], changing: new Set() });
  const { effect, contract, evidence } = effectReader(new ContractBook(contracts), judge)(call);
  if (isReadOnly(effect)) return { kind: 'read', evidence };
  const derived = deriveIdempotencyKey(call.tool, contract, call);
  const declared = (contract?.key ?? []).length === 0 ? claimed.idempotencyKey : undefined;
  const key = derived ?? declared;
  const repeatable = effect === 'exec' || effect === 'converging';
  return {
    kind: 'effect',
    action: call.tool,
    target: claimed.target ?? describeTarget(contract, call),
    effectKind: effect,
    key,
    keySource: derived !== undefined ? 'derived' : declared !== undefined ? 'declared' : 'none',
    argumentsDigest: argumentsDigest(call),
    scope: contract?.scope ?? 'session',
    gated: key !== undefined && !repeatable,
    evidence: repeatable
      ? `${effect} effects are recorded and never blocked`
      : key === undefined
        ? `nothing declares a key of ${call.tool}: recorded, never blocked`
        : evidence,
  };
}
