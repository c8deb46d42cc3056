import type { Classification } from '../classify/classified';
import type { PassRequest, PassWindow } from '../pass';
import type { SessionState } from '../ports';
import { CallWords } from './call-words';

/** What a plan is made from. */
export interface PlanFacts {
  readonly request: PassRequest;
  readonly window: PassWindow;
  readonly classification: Classification;
  readonly session: SessionState;
  readonly calls: CallWords;
  /** True when the agent can read back what left. */
  readonly recall: boolean;
}

export function planFacts(
  request: PassRequest,
  window: PassWindow,
  classification: Classification,
  session: SessionState,
): PlanFacts {
  const calls = new CallWords(classification.elements, classification.effects);
  return { request, window, classification, session, calls, recall: request.recall === 'tool' };
}
