import type { HandleDraft, OriginalDraft } from '../ports';
import { deriveHandle, originalDigest } from '../render/marks';
import { messageSource } from '../window/message-source';
import { foldedRuns, segmentPieces, foldedWords, type Choice } from './choice';
import type { PlanFacts } from './plan-facts';
import type { Plan, PlannedElement, PlannedSegment } from './plan';

export interface PlanTokens {
  /** What was handed out is written again, even where nothing leaves. */
  readonly putsBack: boolean;
  readonly before: number;
  readonly after: number;
  readonly floorTokens: number;
  readonly aimTokens: number;
}

/** Writes a choice down as a plan: what happens to each element, what is archived, which segments are to be made. */
export function assemblePlan(facts: PlanFacts, choice: Choice, tokens: PlanTokens): Plan {
  const { request, window, session, recall } = facts;
  const { elements } = facts.classification;
  const words = foldedWords(facts, choice);
  const originals = new Map<string, OriginalDraft>();
  const handles = new Map<string, HandleDraft>();
  const planned: PlannedElement[] = elements.map(() => ({ operation: 'keep' }));
  const segments: PlannedSegment[] = [];
  const archive = (original: OriginalDraft, handle: string, elementId: string, label: string, size: number): void => {
    originals.set(original.sha256, original);
    handles.set(handle, { handle, sha256: original.sha256, elementId, label, tokens: size });
  };
  const { foldedParts } = choice;
  for (const step of choice.replaced.values()) {
    const element = elements[step.element]?.element;
    if (element === undefined || foldedParts.has(step.element)) continue;
    archive(step.original, step.handle, element.id, step.label, element.tokens);
    planned[step.element] = { operation: step.operation, text: step.text, handle: step.handle };
  }
  for (const step of choice.shortened.values()) {
    const element = elements[step.element]?.element;
    if (element === undefined || foldedParts.has(step.element)) continue;
    const sha256 = originalDigest(element.text);
    const handle = deriveHandle(session.sessionId, sha256);
    archive({ sha256, text: element.text }, handle, element.id, `${element.role} text`, element.tokens);
    planned[step.element] = { operation: 'summarize', handle, segment: segments.length };
    segments.push({
      parts: [step.element],
      standsFor: [element.id],
      place: 'in_place',
      beforeMessage: element.message,
      handle: recall ? handle : undefined,
      pieces: [{ kind: 'text', part: step.element, maxTokens: step.maxTokens }],
    });
  }
  const sources = messageSource(window.read);
  for (const run of foldedRuns(choice.folded, facts.betweenIsPersons)) {
    const first = run[0];
    const last = run[run.length - 1];
    if (first === undefined || last === undefined) continue;
    const parts = run.flatMap((unit) => unit.parts);
    const text = sources(first.firstMessage, last.lastMessage);
    const sha256 = originalDigest(text);
    const handle = deriveHandle(session.sessionId, sha256);
    const firstId = elements[first.parts[0] ?? 0]?.element.id ?? '';
    const size = run.reduce((sum, unit) => sum + unit.tokens, 0);
    archive({ sha256, text }, handle, firstId, `${run.length} steps`, size);
    for (const part of parts) planned[part] = { operation: 'summarize', handle, segment: segments.length };
    segments.push({
      parts,
      standsFor: parts.flatMap((part) => facts.segmentWords.standsFor(elements[part]?.element.id ?? '')),
      place: 'folded',
      beforeMessage: first.firstMessage,
      handle: recall ? handle : undefined,
      pieces: segmentPieces(run, elements, words),
    });
  }
  return {
    elements: planned,
    segments,
    originals: [...originals.values()],
    handles: [...handles.values()],
    tokensBefore: tokens.before,
    tokensAfter: tokens.after,
    floorTokens: tokens.floorTokens,
    aimTokens: tokens.aimTokens,
    budgetTokens: request.budgetTokens,
    putsBack: tokens.putsBack,
    changes: tokens.putsBack || choice.replaced.size + choice.shortened.size + choice.folded.size > 0,
  };
}
