import type { TraceContext } from '@holdfast/observability';
import type { Request } from 'express';
import type { Caller } from '../auth/caller';

/** A request with what the edge learnt about it. */
export interface ApiRequest extends Request {
  requestId?: string;
  /** Where the request stands in a trace: its own span, or its caller's where this process records none. */
  trace?: TraceContext | undefined;
  /** Set by the guard; absent on public routes. */
  caller?: Caller;
}
