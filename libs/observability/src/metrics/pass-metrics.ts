import {
  DRIFT_KINDS,
  type DriftKind,
  ELEMENT_CLASSES,
  type ElementClass,
  type OutcomeName,
  OUTCOMES,
  REFUSAL_CODES,
  type RefusalCode,
} from '@holdfast/core';
import { Histogram, type Registry } from 'prom-client';
import { closedCounter, closedHistogram, closedPairCounter, plainCounter } from './metric-families';
import {
  PASS_PHASES,
  type PassPhase,
  SUMMARIZER_OUTCOMES,
  SUMMARIZER_PROVIDERS,
  type SummarizerOutcome,
  type SummarizerProvider,
  TOKEN_SIDES,
  type TokenSide,
  VERIFICATION_CHECKS,
  type VerificationCheck,
} from './metric-terms';

/** From the few milliseconds of a plan to a slow model. */
const PHASE_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];
/** Waiting included: passes of one session run one after the other. */
const ACCEPT_TO_FINISH_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 900, 3_600];

/** What passes come to, and what they cost. */
export interface PassMetrics {
  countPass(outcome: OutcomeName): void;
  countRefusal(code: RefusalCode): void;
  observePhase(phase: PassPhase, seconds: number): void;
  observeAcceptToFinish(seconds: number): void;
  /** A write that came from a process which no longer holds the session. */
  countFenceRejection(): void;
  countTokens(side: TokenSide, tokens: number): void;
  countElements(elementClass: ElementClass, elements: number): void;
  countExternalizedBytes(bytes: number): void;
  /** A check that the output of a pass did not stand; the pass hands nothing out. */
  countVerificationFailure(check: VerificationCheck): void;
  countDriftIncidents(kind: DriftKind, incidents?: number): void;
  /** One request to the endpoint of a language model. */
  observeSummarizerRequest(provider: SummarizerProvider, outcome: SummarizerOutcome, seconds: number): void;
}

export function passMetrics(registry: Registry): PassMetrics {
  const acceptToFinish = new Histogram({
    name: 'holdfast_accept_to_finish_seconds',
    help: 'Time from accepting a window to its outcome, waiting included',
    buckets: ACCEPT_TO_FINISH_SECONDS,
    registers: [registry],
  });
  const countFenceRejection = plainCounter(
    registry,
    'holdfast_fence_rejections_total',
    'Writes refused because the writer no longer held the session',
  );
  const countExternalizedBytes = plainCounter(
    registry,
    'holdfast_externalized_bytes_total',
    'Bytes of originals that were secured before they left a window',
  );
  const summarizerSeconds = closedHistogram(
    registry,
    'holdfast_summarizer_duration_seconds',
    'Time of one request to a language model',
    'provider',
    SUMMARIZER_PROVIDERS,
    PHASE_SECONDS,
  );
  const summarizerRequests = closedPairCounter(
    registry,
    'holdfast_summarizer_requests_total',
    'Requests to language models: answered with a summary, with something else, or not at all',
    { label: 'provider', values: SUMMARIZER_PROVIDERS },
    { label: 'outcome', values: SUMMARIZER_OUTCOMES },
  );
  return {
    countPass: closedCounter(registry, 'holdfast_passes_total', 'Passes that ended, by outcome', 'outcome', OUTCOMES),
    countRefusal: closedCounter(
      registry,
      'holdfast_refusals_total',
      'Refusals, by code; a pass can have several',
      'code',
      REFUSAL_CODES,
    ),
    observePhase: closedHistogram(
      registry,
      'holdfast_pass_phase_seconds',
      'Time of one phase of one pass',
      'phase',
      PASS_PHASES,
      PHASE_SECONDS,
    ),
    observeAcceptToFinish: (seconds) => acceptToFinish.observe(seconds),
    countFenceRejection: () => countFenceRejection(),
    countTokens: closedCounter(
      registry,
      'holdfast_tokens_total',
      'Tokens of windows before and after their passes, and of what was pinned',
      'side',
      TOKEN_SIDES,
    ),
    countElements: closedCounter(
      registry,
      'holdfast_elements_total',
      'Elements classified, by class',
      'class',
      ELEMENT_CLASSES,
    ),
    countExternalizedBytes: (bytes) => countExternalizedBytes(bytes),
    countVerificationFailure: closedCounter(
      registry,
      'holdfast_verification_failures_total',
      'Checks of the final window that failed; such a pass hands nothing out',
      'check',
      VERIFICATION_CHECKS,
    ),
    countDriftIncidents: closedCounter(
      registry,
      'holdfast_drift_incidents_total',
      'Drift incidents, by kind',
      'kind',
      DRIFT_KINDS,
    ),
    observeSummarizerRequest(provider, outcome, seconds) {
      summarizerRequests(provider, outcome);
      summarizerSeconds(provider, seconds);
    },
  };
}
