import type { ToolContract } from './classify/tool-contract';
import type { Notice } from './classify/classified';
import type { Receipt } from './receipt/receipt';
import type { RefusalCode } from './terms';
import type { Manifest } from './window/manifest';
import type { WindowIncident } from './window/window-incident';

/** A change that was tried on the plan and makes it fit. */
export type Repair =
  | { readonly kind: 'raise_budget'; readonly budget_tokens: number; readonly message: string }
  | { readonly kind: 'lower_target'; readonly reclaim_target_tokens: number; readonly message: string }
  | {
      readonly kind: 'declare_tool';
      readonly tool: string;
      readonly contract: ToolContract;
      readonly message: string;
    }
  | { readonly kind: 'enable_recall'; readonly message: string }
  | {
      readonly kind: 'mark_element';
      readonly element_id: string;
      readonly set: Readonly<Record<string, boolean | string>>;
      readonly message: string;
    }
  | {
      readonly kind: 'attach_effect';
      readonly element_id: string;
      /** Null for what only its owner knows. */
      readonly action: string | null;
      readonly target: string | null;
      readonly idempotency_key?: string;
      readonly message: string;
    };

/** What a refusal is about, where it stands, and why. */
export interface RefusedElement {
  readonly element_id: string;
  readonly path: string;
  readonly evidence: string;
  /** Rule of its class, or the check of the proof that failed. */
  readonly rule?: string;
  /** Tool whose call or result it is, or the action that it records. */
  readonly tool?: string;
}

/** A typed no. The old window stays valid and untouched; what could be secured is secured. */
export interface Refusal {
  readonly code: RefusalCode;
  readonly message: string;
  readonly elements: readonly RefusedElement[];
  readonly floor_tokens: number | undefined;
  readonly shortfall_tokens: number | undefined;
  readonly headroom_tokens: number | undefined;
  readonly repairs: readonly Repair[];
}

/** A window that passed verification, with all that comes with it. */
export interface ProvenWindow {
  readonly window: string;
  readonly manifest: Manifest;
  readonly receipt: Receipt;
  readonly tokensAfter: number;
  readonly tokensPinned: number;
  /** How much of the caller's window it replaces: splice what was appended meanwhile behind it. */
  readonly replacedPrefix: { readonly messages: number; readonly sha256: string };
  readonly aimMet: boolean;
}

export interface PassFacts {
  readonly tokensBefore: number;
  readonly tokensSystem: number;
  readonly notices: readonly Notice[];
  /** Where the window that came is not what was handed out. */
  readonly incidents: readonly WindowIncident[];
}

/**
 * What a pass came to. `failed` and `superseded` are not among them: only whoever runs passes against a queue and a
 * session version can say so.
 */
export type Outcome =
  | ({ readonly outcome: 'compacted'; readonly proven: ProvenWindow } & PassFacts)
  /** `would` is what `enforce` would hand out, when the agent only observes. */
  | ({
      readonly outcome: 'unchanged';
      readonly reason: 'aim_met' | 'gain_too_small' | 'nothing_to_reclaim' | 'observe';
      readonly would: ProvenWindow | undefined;
      /** What `enforce` would have refused with; an observed agent is never refused. */
      readonly wouldRefuse: Refusal | undefined;
      readonly receipt: Receipt | undefined;
    } & PassFacts)
  | ({
      readonly outcome: 'refused';
      readonly refusal: Refusal;
      /** The smallest window that passes verification, though it misses the budget or target; adoptable. */
      readonly bestProven: ProvenWindow | undefined;
      readonly receipt: Receipt | undefined;
    } & PassFacts);
