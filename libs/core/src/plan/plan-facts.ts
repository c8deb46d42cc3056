import type { Classification } from '../classify/classified';
import type { PassRequest, PassWindow } from '../pass';
import type { SessionState } from '../ports';
import { CallWords } from './call-words';
import { collectNeededValues } from './needed-values';

/** What a plan is made from. */
export interface PlanFacts {
  readonly request: PassRequest;
  readonly window: PassWindow;
  readonly classification: Classification;
  readonly session: SessionState;
  readonly calls: CallWords;
  /** True for a value that something besides tool results says: it need not be kept once more. */
  readonly isNeeded: (value: string) => boolean;
  /** True when the agent can read back what left. */
  readonly recall: boolean;
  /** True when nothing but text in the user's role lies between two messages. */
  readonly betweenIsPersons: (after: number, before: number) => boolean;
}

export function planFacts(
  request: PassRequest,
  window: PassWindow,
  classification: Classification,
  session: SessionState,
): PlanFacts {
  const needed = collectNeededValues(classification.elements);
  const isNeeded = (value: string): boolean => needed.has(value);
  const calls = new CallWords(classification.elements, classification.effects, isNeeded, window.mask);
  const { messages, parts } = window.read;
  const betweenIsPersons = (after: number, before: number): boolean =>
    messages
      .slice(after + 1, before)
      .every((message) => message.role === 'user' && message.parts.every((part) => parts[part]?.kind === 'text'));
  const recall = request.recall === 'tool';
  return { request, window, classification, session, calls, isNeeded, recall, betweenIsPersons };
}
