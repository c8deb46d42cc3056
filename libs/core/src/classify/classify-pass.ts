import type { PassRequest, PassWindow } from '../pass';
import type { SessionState } from '../ports';
import type { Classification } from './classified';
import { classify } from './classify';
import { maskClassification } from './mask-classification';

/**
 * Classifies the window of a pass by its agent's settings and what its session knows. What it says of the elements has
 * no secrets in it; the elements themselves are as they came.
 */
export function classifyPass(request: PassRequest, window: PassWindow, session: SessionState): Classification {
  const classification = classify({
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
  return maskClassification(classification, window.mask);
}
