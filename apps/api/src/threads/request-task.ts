import type { AuditOutcome, AuditTask } from '../audits/run-audit';
import type { Suggestion, SuggestionTask } from '../contracts/run-suggestion';
import type { DownstreamCalls, DownstreamTask } from '../drift/find-downstream';
import type { BodyLimits, CompactionBody } from '../reading/read-compaction-body';
import type { PlanAnswer, PlanTask } from '../plans/run-plan';
import type { RequestError } from '@holdfast/contracts';

/** Work that would hold up the event loop, by kind: what goes in and what comes out. */
export interface RequestTasks {
  read: {
    readonly input: { readonly bytes: Uint8Array; readonly limits: BodyLimits };
    readonly output: CompactionBody;
  };
  plan: { readonly input: PlanTask; readonly output: PlanOutcome };
  suggest: { readonly input: SuggestionTask; readonly output: Suggestion };
  downstream: {
    readonly input: DownstreamTask;
    readonly output: { readonly kind: 'downstream'; readonly calls: DownstreamCalls };
  };
  audit: { readonly input: AuditTask; readonly output: AuditOutcome };
}

export type PlanOutcome =
  | { readonly kind: 'planned'; readonly plan: PlanAnswer }
  | { readonly kind: 'problems'; readonly errors: readonly RequestError[] };

export type RequestTaskKind = keyof RequestTasks;

export type RequestMessage = {
  [Kind in RequestTaskKind]: {
    readonly id: number;
    readonly kind: Kind;
    readonly input: RequestTasks[Kind]['input'];
  };
}[RequestTaskKind];

export type ReplyMessage =
  | { readonly id: number; readonly ok: true; readonly output: RequestTasks[RequestTaskKind]['output'] }
  | { readonly id: number; readonly ok: false; readonly code: string; readonly message: string };
