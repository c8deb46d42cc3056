import { sha256Hex } from '../digest';
import type { ElementClass, FormatName, Mode, Operation, OutcomeName, RecallSetting, View } from '../terms';

/** Verdict of one condition for one element: how it is proven, in words. */
export interface Verdict {
  readonly holds: boolean;
  readonly by: string;
}

/** What the pass decided about one element, and why. */
export interface ReceiptElement {
  readonly element_id: string;
  readonly path: string;
  readonly kind: string;
  readonly role: string;
  readonly class: ElementClass;
  readonly view: View;
  readonly rule: string;
  readonly evidence: string;
  readonly conflict?: string;
  readonly operation: Operation;
  readonly tokens_before: number;
  readonly tokens_after: number;
  readonly digest: string;
  readonly handle?: string;
  readonly original_sha256?: string;
  readonly effect?: string;
  readonly records?: readonly string[];
  readonly segment?: string;
  readonly c1: Verdict;
  readonly c2: Verdict;
  readonly c3: Verdict;
}

/** Machine-checkable account of one pass. `hash` covers everything else in canonical JSON; `previous` chains the session. */
export interface Receipt {
  readonly version: 1;
  readonly session_id: string;
  readonly pass: number;
  readonly format: FormatName;
  readonly mode: Mode;
  readonly recall: RecallSetting;
  readonly outcome: OutcomeName;
  /** What somebody else had taken out or edited was written again; the only reason for which a window may grow. */
  readonly put_back?: true;
  readonly counter: { readonly name: string; readonly exact: boolean };
  readonly budget_tokens: number;
  readonly aim_tokens: number;
  readonly tokens: {
    readonly before: number;
    readonly after: number;
    readonly system: number;
    readonly pinned: number;
    readonly floor: number;
  };
  readonly input_sha256: string;
  readonly output_sha256: string;
  readonly classes: Readonly<Record<ElementClass, number>>;
  readonly operations: Readonly<Record<Operation, number>>;
  readonly sealed_fields: number;
  readonly elements: readonly ReceiptElement[];
  readonly effects: readonly { readonly ref: string; readonly occurrence: string; readonly status: string }[];
  readonly records: readonly { readonly ref: string; readonly element_id: string; readonly digest: string }[];
  readonly plan_sha256: string;
  readonly previous: string | null;
  readonly hash: string;
}

/** Adds the hash that makes a receipt checkable. */
export function sealReceipt(receipt: Omit<Receipt, 'hash'>): Receipt {
  return { ...receipt, hash: receiptHash(receipt) };
}

/** sha256 of a receipt without its hash, keys in order, so that any JSON writer leads to the same hash. */
export function receiptHash(receipt: Omit<Receipt, 'hash'>): string {
  const { hash: _, ...content } = receipt as Receipt;
  return sha256Hex(canonical(content));
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
      .map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`);
    return `{${members.join(',')}}`;
  }
  return JSON.stringify(value);
}
