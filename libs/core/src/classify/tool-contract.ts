import type { EffectKind } from '../terms';

/** A condition on the text of a result; every field that is given must hold. */
export interface ResultCondition {
  /** The text starts with this. */
  readonly prefix?: string;
  /** The text contains this. */
  readonly contains?: string;
  /** The text matches this regular expression (flags `u`; no look-around; at most 200 characters). */
  readonly matches?: string;
  /** The provider's error flag has this value. */
  readonly is_error?: boolean;
  /** The JSON at this path equals `equals` (path as in `key`). */
  readonly json_path?: string;
  readonly equals?: string | number | boolean | null;
}

/** A condition on the arguments of a call: the one value at `json_path` is `equals`. */
export interface ArgumentCondition {
  readonly json_path: string;
  readonly equals: string | number | boolean;
}

/**
 * The owner's declaration of what a tool does. Paths are JSON paths of the plain kind (`$.a.b[0].c`, `$.items[*].id`)
 * over the call's arguments (`key`, `target`) or its result (`keep`).
 */
export interface ToolContract {
  readonly effect: 'pure' | 'read' | EffectKind;
  /** A call that meets one of these only reads, whatever `effect` says of the others (`command` is `view`). */
  readonly read_when?: readonly ArgumentCondition[];
  /** Calling again with the same arguments brings the content back. Default: true for `pure` and `read`. */
  readonly refetch?: boolean;
  /** The source changes by itself (prices, logs): said in the mark. */
  readonly volatile?: boolean;
  /** The tool holds state between calls; its newest result stays in the window. */
  readonly stateful?: boolean;
  /** Arguments that make up the idempotency key. */
  readonly key?: readonly string[];
  /** Arguments that name the target. */
  readonly target?: readonly string[];
  readonly scope?: 'session' | 'agent';
  readonly outcome?: {
    readonly failed_when?: readonly ResultCondition[];
    readonly succeeded_when?: readonly ResultCondition[];
    /** A failure leaves nothing applied, so a failed call may be made again. */
    readonly atomic?: boolean;
  };
  /** Result paths, or `/regular expression/` for lines, that stay in the window when a result is reduced. */
  readonly keep?: readonly string[];
  /** Result or argument paths whose values are masked wherever they are stored or shown. */
  readonly secret?: readonly string[];
}

/** Contracts by tool name. */
export type ToolContracts = Readonly<Record<string, ToolContract>>;
