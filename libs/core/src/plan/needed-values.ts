import type { Classified } from '../classify/classified';
import { describeCall } from '../render/call-label';
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

/**
 * The values that a window says outside tool results whatever is given up there: in authoritative text, in what stays of
 * a question that was answered, in the line that stands for a call. A result need not say them once more.
 */
export function collectStandingValues(elements: readonly Classified[]): ReadonlySet<string> {
  const standing = new Set<string>();
  for (const classified of elements) {
    const text = standingText(classified);
    if (text.length > LONGEST_TEXT) continue;
    for (const field of findCriticalFields(text)) standing.add(field.value);
  }
  return standing;
}

function standingText({ element, view, contract, keeps }: Classified): string {
  if (element.kind === 'call') return describeCall(element, contract);
  if (element.kind === 'result' || element.role === 'system') return '';
  return keeps ?? (view === 'authoritative' ? element.text : '');
}
