import type { JsonNode } from '../json';
import type { EffectStatus, FormatName, Operation } from '../terms';
import type { ElementMark } from './element-mark';

export type Role = 'system' | 'user' | 'assistant' | 'tool';

/** A tool call as the model made it. `argumentsText` is JSON text as the provider carries it (decoded once). */
export interface ToolCall {
  readonly callId: string;
  readonly tool: string;
  readonly argumentsText: string;
  /** Parsed arguments; undefined when the text is no JSON. */
  readonly args: JsonNode | undefined;
  /** The provider runs the tool: the call and its result stand in the model's own message, and no client answers it. */
  readonly hosted?: true;
}

/** The answer to a call. `call` is the index of its call element in the same window. */
export interface ToolResult {
  readonly callId: string;
  readonly call: number;
  /** The provider's own error flag; undefined where the format has none. */
  readonly isError: boolean | undefined;
}

/** The seed's fields of a native element; absent and null both mean "not said". */
export interface NativeFields {
  readonly regenerable: boolean;
  readonly idempotent: boolean;
  readonly taskCritical: boolean;
  readonly externalized: boolean;
  readonly handle: string | undefined;
  readonly action: string | undefined;
  readonly target: string | undefined;
  readonly idempotencyKey: string | undefined;
  /** The caller's own word for the status. */
  readonly status: string | undefined;
  /** False when `content` is null or absent. */
  readonly hasContent: boolean;
}

/** An image or a document inside a message: never text, never counted as text. */
export interface Attachment {
  readonly mediaType: string;
  readonly tokens: number;
  /** Source text of it: what tells two apart. Never counted, never shown. */
  readonly source?: string;
}

/**
 * `text`       words of a system message, a person or the model
 * `call`       one tool call;  `result` the answer to it
 * `reasoning`  a model's reasoning block (leaves whole or not at all)
 * `attachment` an image, a document
 * `opaque`     a part that the format does not know: kept as it is
 * `native`     an element of the `elements` format
 */
export type ElementKind = 'text' | 'call' | 'result' | 'reasoning' | 'attachment' | 'opaque' | 'native';

/** A part of a window as a format reader finds it, before it has an identity. */
export interface Part {
  /** Position among the window's parts. */
  readonly index: number;
  /** Index of the message that holds it. */
  readonly message: number;
  readonly kind: ElementKind;
  readonly role: Role;
  /** What the model reads, decoded: the words, the result's text, the call's `argumentsText`. */
  readonly text: string;
  /** JSON pointer of the part in the window. */
  readonly path: string;
  /** True when the format can put other text in place of `text` (results, plain text parts). */
  readonly editable: boolean;
  readonly call?: ToolCall;
  readonly result?: ToolResult;
  readonly native?: NativeFields;
  readonly attachment?: Attachment;
  /** Id given by the caller (`elements` only). */
  readonly givenId?: string;
  /** The caller says that a person did not write it (`synthetic: true` and the like). */
  readonly synthetic?: boolean;
  /** The provider signed it: in the turn that is open it must come back as it is. */
  readonly signed?: true;
}

export interface Message {
  readonly index: number;
  readonly role: Role;
  /** Indexes of its parts, ascending. */
  readonly parts: readonly number[];
  readonly path: string;
}

/** A window as read: parts in order, and the source that it was read from. */
export interface ReadWindow {
  readonly format: FormatName;
  /** Source text, untouched. */
  readonly source: string;
  readonly messages: readonly Message[];
  readonly parts: readonly Part[];
  /** Texts that are counted besides the parts (tool definitions, a system field). Authoritative, never changed. */
  readonly fixedTexts: readonly string[];
  /** Model named in the window, when there is one. */
  readonly model: string | undefined;
}

/** What an earlier pass of this session did to an element that stands in the window. */
export interface Settled {
  readonly operation: Exclude<Operation, 'keep'>;
  readonly handle: string | undefined;
}

/**
 * A part with an identity. `id` is the caller's own id in the `elements` format, else `e<number>` counted per session.
 * `digest` is the sha256 of what the element says (kind, role, tool, canonical arguments, text), so that a client that
 * writes JSON another way sends the same element.
 */
export interface Element extends Part {
  readonly id: string;
  readonly digest: string;
  /** Tokens of its text (or attachment) by the pass's counter, without per-message overhead. */
  readonly tokens: number;
  /** True when no accepted window of the session held it before. */
  readonly fresh: boolean;
  readonly settled?: Settled;
  /** The owner's word on it. */
  readonly mark?: ElementMark;
  /** `block`, `segment`: rendered by an earlier pass and proven to be ours. */
  readonly rendered?: 'block' | 'segment';
}

/** Status of a call as its result shows it. */
export interface CallOutcome {
  readonly status: EffectStatus;
  readonly evidence: string;
}
