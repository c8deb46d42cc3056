import type { Classification } from '../classify/classified';
import type { PassRequest, PassWindow } from '../pass';
import type { SessionState } from '../ports';
import { CallWords } from './call-words';
import { SegmentWords } from './segment-words';
import type { Mentions } from '../reduce';
import { collectNeededValues, collectStandingValues } from './needed-values';

/** What a plan is made from. */
export interface PlanFacts {
  readonly request: PassRequest;
  readonly window: PassWindow;
  readonly classification: Classification;
  readonly session: SessionState;
  readonly calls: CallWords;
  readonly segmentWords: SegmentWords;
  readonly mentions: Mentions;
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
  const standing = collectStandingValues(classification.elements);
  const mentions: Mentions = {
    isNeeded: (value) => needed.has(value),
    standsElsewhere: (value) => standing.has(value),
  };
  const calls = new CallWords(classification.elements, classification.effects, mentions, window.mask);
  const segmentWords = new SegmentWords(session, window.mask);
  const { messages, parts } = window.read;
  const betweenIsPersons = (after: number, before: number): boolean =>
    messages
      .slice(after + 1, before)
      .every((message) => message.role === 'user' && message.parts.every((part) => parts[part]?.kind === 'text'));
  const recall = request.recall === 'tool';
  return { request, window, classification, session, calls, segmentWords, mentions, recall, betweenIsPersons };
}
