import type { Request } from 'express';
import type { Caller } from '../auth/caller';

/** A request with what the edge learnt about it. */
export interface ApiRequest extends Request {
  requestId?: string;
  /** Set by the guard; absent on public routes. */
  caller?: Caller;
}
