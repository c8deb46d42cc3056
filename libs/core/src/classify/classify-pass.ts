import type { PassRequest, PassWindow } from '../pass';
import type { SessionState } from '../ports';
import type { Classification } from './classified';
import { classify } from './classify';

/** Classifies the window of a pass by its agent's settings and what its session knows. */
export function classifyPass(request: PassRequest, window: PassWindow, session: SessionState): Classification {
  return classify({
    elements: window.elements,
    messages: window.read.messages,
    format: request.format,
    contracts: request.contracts,
    recall: request.recall,
    onAmbiguous: request.policy.onAmbiguous,
    knownEffects: session.effects,
    knownRecords: session.records,
    fixedTexts: window.read.fixedTexts,
  });
}
