import type { PassRequest } from '@holdfast/core';
import type { PassStep, StepAnswer } from './pass-step';

/** What a thread is told. Passes of one thread take turns at their waits, told apart by `pass`. */
export type ToThread =
  | {
      readonly type: 'start';
      readonly pass: number;
      readonly step: PassStep;
      readonly request: PassRequest;
      readonly counter: { readonly name: string; readonly exact: boolean };
      readonly summarizer: { readonly name: string; readonly deterministic: boolean };
    }
  | { readonly type: 'answer'; readonly pass: number; readonly call: number; readonly value: unknown }
  | { readonly type: 'rejection'; readonly pass: number; readonly call: number };

/** What a thread says. A `call` is answered by the main thread, which holds the connections. */
export type FromThread =
  | {
      readonly type: 'call';
      readonly pass: number;
      readonly call: number;
      readonly method: PortMethod;
      readonly input: unknown;
    }
  | { readonly type: 'done'; readonly pass: number; readonly answer: StepAnswer }
  /** `rejectedCall`: the error is the one that the main thread answered this call with. */
  | {
      readonly type: 'failed';
      readonly pass: number;
      readonly rejectedCall: number | undefined;
      readonly error: { readonly code: string; readonly message: string; readonly retryable: boolean };
    };

export type PortMethod =
  | 'load'
  | 'secure'
  | 'findSecured'
  | 'findOriginal'
  | 'resolveHandles'
  | 'findSegment'
  | 'recordSegment'
  | 'count'
  | 'summarize'
  | 'reach';
