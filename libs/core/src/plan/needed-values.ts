import type { Classified } from '../classify/classified';
import { findCriticalFields } from '../seal';

/** Texts longer than this say little about what is needed (pastes, files); they would only cost time. */
const LONGEST_TEXT = 20_000;

/**
 * The values that something outside tool results refers to: said by a person, used as an argument, part of an answer
 * of the model. A result that loses parts keeps these.
 */
export function collectNeededValues(elements: readonly Classified[]): ReadonlySet<string> {
  const needed = new Set<string>();
  for (const { element } of elements) {
    if (element.kind === 'result' || element.text.length > LONGEST_TEXT) continue;
    if (element.role === 'system') continue;
    for (const field of findCriticalFields(element.text)) needed.add(field.value);
  }
  return needed;
}
