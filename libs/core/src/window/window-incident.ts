import type { DriftKind } from '../terms';

/** A place where a window that came back is not what was handed out, or imitates what only a pass writes. */
export interface WindowIncident {
  readonly kind: DriftKind;
  /** `warning` for what changes nothing: content that imitates a block or a mark. */
  readonly severity: 'error' | 'warning';
  /** What was handed out; null for what no pass wrote. */
  readonly expected: string | null;
  /** What stands there now; null where it is gone. */
  readonly observed: string | null;
  /** Element, record (`R3`) or effect (`E7`) that it is about. */
  readonly subject: string;
  /** JSON pointer into the window that came; empty where the thing is gone. */
  readonly path: string;
  readonly message: string;
}
