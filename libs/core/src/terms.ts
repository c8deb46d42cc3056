/**
 * The closed tables of terms that every part of Holdfast shares.
 *
 * window       ordered elements that a model sees at one turn
 * element      smallest unit of a window; its id is stable from birth
 * secure       externalize records and pin effects: the step before any loss
 * record       one verbatim entry of the scratch store
 * effect       one entry of the append-only effect ledger
 * mark         visible sign of what left a window, with the handle that brings it back
 * pass         one run of the pipeline over one window
 * refusal      a typed no: the old window stays valid
 */

export const ELEMENT_CLASSES = ['reclaim', 'pin_effect', 'externalize', 'ambiguous'] as const;
/** The outcome of classifying one element (the seed's `classify_element`). */
export type ElementClass = (typeof ELEMENT_CLASSES)[number];

export const VIEWS = ['recoverable', 'disposable', 'authoritative'] as const;
/** The planner's view: fetched again by a stable handle, needed by nobody, or existing only here. */
export type View = (typeof VIEWS)[number];

export const OPERATIONS = ['keep', 'repack', 'reduce', 'evict', 'summarize'] as const;
/** What a plan does with one element. */
export type Operation = (typeof OPERATIONS)[number];

export const OUTCOMES = ['compacted', 'unchanged', 'refused', 'failed', 'superseded'] as const;
export type OutcomeName = (typeof OUTCOMES)[number];

export const EFFECT_KINDS = ['write', 'converging', 'exec', 'unproven'] as const;
export type EffectKind = (typeof EFFECT_KINDS)[number];

export const EFFECT_STATUSES = [
  'intended',
  'awaiting_approval',
  'fired',
  'succeeded',
  'failed',
  'declined',
  'unknown',
] as const;
export type EffectStatus = (typeof EFFECT_STATUSES)[number];

export const RECORD_KINDS = ['constraint', 'approval', 'resolved_ambiguity', 'identifier', 'plan', 'handle'] as const;
export type RecordKind = (typeof RECORD_KINDS)[number];

export const REFUSAL_CODES = [
  'AMBIGUOUS_ELEMENT',
  'BUDGET_UNREACHABLE',
  'TARGET_UNREACHABLE',
  'EFFECT_INCOMPLETE',
  'EFFECT_CONFLICT',
  'HANDLE_UNRESOLVED',
  'WINDOW_UNREPAIRABLE',
  'SERVER_HELD_HISTORY',
  'PROOF_FAILED',
] as const;
export type RefusalCode = (typeof REFUSAL_CODES)[number];

export const DRIFT_KINDS = [
  'identifier_mutated',
  'number_rounded',
  'number_changed',
  'unit_changed',
  'path_truncated',
  'path_changed',
  'url_changed',
  'date_changed',
  'version_changed',
  'hash_truncated',
  'name_changed',
  'invented_value',
  'reformatted',
  'constraint_lost',
  'constraint_weakened',
  'plan_step_lost',
  'plan_step_changed',
  'effect_status_changed',
  'effect_omitted',
  'record_missing',
  'record_mutated',
  'tombstone_missing',
  'stale_source',
  'contract_drift',
] as const;
export type DriftKind = (typeof DRIFT_KINDS)[number];

export const FORMAT_NAMES = ['elements', 'openai-chat', 'anthropic'] as const;
/** Window formats that go in and come out. */
export type FormatName = (typeof FORMAT_NAMES)[number];

export const MODES = ['observe', 'enforce'] as const;
/** `observe`: the answer is the old window with the plan beside it; `enforce`: the answer is the compacted window. */
export type Mode = (typeof MODES)[number];

export const RECALL_SETTINGS = ['tool', 'none'] as const;
/** Whether the agent can read back what left its window. Recall proves C1 only when the agent has it. */
export type RecallSetting = (typeof RECALL_SETTINGS)[number];

/** Where a value comes from; text of a tool never gains the rank of a human's. */
export type Trust = 'owner' | 'human' | 'assistant' | 'tool';

/** Name of the tool that reads back what left a window; marks and the pinned block refer to it. */
export const RECALL_TOOL_NAME = 'holdfast_recall';
