/**
 * The closed sets that labels take their values from, besides the core's tables. A label never holds an id, a name that a
 * tenant chose, or anything else that grows: those belong into the database.
 */

/** Parts of a pass whose time is measured, in order. */
export const PASS_PHASES = ['claim', 'classify', 'plan', 'secure', 'summarize', 'verify', 'commit'] as const;
export type PassPhase = (typeof PASS_PHASES)[number];

/** Why a job was sent: for the first time, because its lease ran out, because the queue lost it, or by an operator. */
export const DISPATCH_REASONS = ['first', 'lease_expired', 'queue_lost', 'manual'] as const;
export type DispatchReason = (typeof DISPATCH_REASONS)[number];

export const TOKEN_SIDES = ['before', 'after', 'pinned'] as const;
export type TokenSide = (typeof TOKEN_SIDES)[number];

/** What verification checks: V1 authoritative bytes ... V7 handles and repacked texts. */
export const VERIFICATION_CHECKS = ['V1', 'V2', 'V3', 'V4', 'V5', 'V6', 'V7'] as const;
export type VerificationCheck = (typeof VERIFICATION_CHECKS)[number];

/** What the effect gate answers to a claim. */
export const EFFECT_ANSWERS = ['proceed', 'duplicate', 'in_flight', 'reconcile', 'conflict'] as const;
export type EffectAnswer = (typeof EFFECT_ANSWERS)[number];

/** What a claimed effect was settled as; `unknown` also where its lease ran out. */
export const EFFECT_ENDS = ['succeeded', 'failed', 'declined', 'fired', 'unknown'] as const;
export type EffectEnd = (typeof EFFECT_ENDS)[number];

export const TOOL_OUTCOMES = ['succeeded', 'failed', 'rejected'] as const;
export type ToolOutcomeName = (typeof TOOL_OUTCOMES)[number];

/** Endpoints of language models. The extractive summarizer asks nobody and is not counted. */
export const SUMMARIZER_PROVIDERS = ['openai-compatible', 'anthropic'] as const;
export type SummarizerProvider = (typeof SUMMARIZER_PROVIDERS)[number];

/** An answer that is a summary, one that is none, or no answer. */
export const SUMMARIZER_OUTCOMES = ['summary', 'rejected', 'error'] as const;
export type SummarizerOutcome = (typeof SUMMARIZER_OUTCOMES)[number];

export const ALERT_CHANNELS = ['webhook', 'slack', 'pagerduty', 'alertmanager', 'email'] as const;
export type AlertChannelKind = (typeof ALERT_CHANNELS)[number];

/** What one attempt at delivering came to. */
export const DELIVERY_OUTCOMES = ['delivered', 'retry', 'permanent', 'gone'] as const;
export type DeliveryOutcome = (typeof DELIVERY_OUTCOMES)[number];

/** Of refusals that are open; what only counts is never open. */
export const OPEN_SEVERITIES = ['page', 'ticket'] as const;
export type OpenSeverity = (typeof OPEN_SEVERITIES)[number];

export const STATUS_CLASSES = ['2xx', '3xx', '4xx', '5xx', 'aborted'] as const;
/** `aborted`: the client went away before there was an answer. */
export type StatusClass = (typeof STATUS_CLASSES)[number];

/** Route of a request that no route fits. */
export const NO_ROUTE = { method: 'any', route: 'none' } as const;
