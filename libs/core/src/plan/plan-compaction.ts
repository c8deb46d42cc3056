import type { Classification, Classified } from '../classify/classified';
import { describeCall } from '../render/call-label';
import type { PassRequest, PassWindow } from '../pass';
import type { EffectDraft, HandleDraft, OriginalDraft, SessionState, StoredEffect, TokenCounter } from '../ports';
import { deriveHandle, originalDigest } from '../render/marks';
import { blockContent, renderPinnedBlock } from '../render/pinned-block';
import { segmentHeader } from '../render/segment';
import { messageSource } from '../window/message-source';
import { MESSAGE_OVERHEAD_TOKENS } from '../window/count';
import { RANK, replaceSteps, type ReplaceStep } from './candidate';
import {
  CountedTexts,
  emptyChoice,
  foldedRuns,
  segmentPieces,
  shortenedTokens,
  type Choice,
  type ShortenStep,
} from './choice';
import { collectNeededValues } from './needed-values';
import type { Plan, PlannedElement, PlannedSegment } from './plan';
import { findUnits, type Unit } from './units';

/** A step with what it frees. */
interface Candidate {
  readonly rank: number;
  readonly freedTokens: number;
  readonly position: number;
  readonly referred: boolean;
  apply(choice: Choice): void;
}

/** A step must free at least this much: its mark costs the reader attention too. */
const SMALLEST_GAIN_TOKENS = 12;

/**
 * Plans a pass: cheapest loss first until the aim is met. Authoritative elements are never a candidate; what is left
 * when all candidates are taken is the floor. Nothing is done yet.
 */
export async function planCompaction(
  request: PassRequest,
  window: PassWindow,
  classification: Classification,
  session: SessionState,
  counter: TokenCounter,
): Promise<Plan> {
  const planner = new Planner(request, window, classification, session, new CountedTexts(counter));
  return planner.plan();
}

class Planner {
  private readonly elements: readonly Classified[];
  private readonly recall: boolean;
  private readonly statusOf: ReadonlyMap<string, EffectDraft>;

  constructor(
    private readonly request: PassRequest,
    private readonly window: PassWindow,
    classification: Classification,
    private readonly session: SessionState,
    private readonly texts: CountedTexts,
  ) {
    this.elements = classification.elements;
    this.recall = request.recall === 'tool';
    this.statusOf = new Map(classification.effects.map((effect) => [effect.occurrence, effect]));
  }

  async plan(): Promise<Plan> {
    const before = this.window.count.total;
    const aimTokens = this.aim(before);
    const candidates = await this.candidates();
    const everything = emptyChoice();
    for (const candidate of candidates) candidate.apply(everything);
    const floorTokens = candidates.length === 0 ? before : Math.min(before, await this.tokensOf(everything));
    let choice = emptyChoice();
    let after = before;
    if (before > aimTokens) {
      let next = 0;
      while (after > aimTokens && next < candidates.length) {
        // Take what the estimate asks for, then count for real: marks, segments and the block come on top.
        let missing = after - aimTokens;
        while (missing > 0 && next < candidates.length) {
          const candidate = candidates[next];
          next += 1;
          if (candidate === undefined) break;
          candidate.apply(choice);
          missing -= candidate.freedTokens;
        }
        after = await this.tokensOf(choice);
      }
    }
    const minimum = Math.max(1, Math.floor(before * this.request.policy.minGainShare));
    const worthIt = before - after >= minimum || (before > this.request.budgetTokens && after < before);
    if (!worthIt) {
      choice = emptyChoice();
      after = before;
    }
    return this.assemble(choice, { before, after, floorTokens, aimTokens });
  }

  private aim(before: number): number {
    const { policy, budgetTokens, aimTokens, reclaimTargetTokens } = this.request;
    const aim = Math.min(budgetTokens, aimTokens ?? Math.floor(budgetTokens * policy.aimShare));
    return reclaimTargetTokens === undefined ? aim : Math.min(aim, before - reclaimTargetTokens);
  }

  private tailFrom(): number {
    return Math.max(0, this.window.read.messages.length - this.request.policy.tailMessages);
  }

  private async candidates(): Promise<readonly Candidate[]> {
    const needed = collectNeededValues(this.elements);
    const tailFrom = this.request.format === 'elements' ? Number.POSITIVE_INFINITY : this.tailFrom();
    const context = {
      sessionId: this.session.sessionId,
      recall: this.recall,
      isNeeded: (value: string) => needed.has(value),
    };
    const replace = this.elements.flatMap((classified) =>
      replaceSteps(
        classified,
        this.callOf(classified),
        this.statusWords(classified),
        classified.element.message >= tailFrom,
        context,
      ),
    );
    await this.texts.learn(replace.map((step) => step.text));
    const found = replace.map((step) => this.replaceCandidate(step, needed));
    const shorten = this.elements.flatMap((classified) => this.shortenCandidates(classified, tailFrom));
    const units =
      this.request.format === 'elements'
        ? []
        : findUnits(this.window.read.messages, this.elements, tailFrom, this.recall);
    await this.texts.learn(units.flatMap((unit) => unit.parts.map((part) => this.callLineAt(part))));
    const fold = units.map((unit) => this.foldCandidate(unit));
    return [...found, ...shorten, ...fold]
      .filter((candidate) => candidate.freedTokens >= SMALLEST_GAIN_TOKENS)
      .sort(
        (a, b) =>
          a.rank - b.rank ||
          Number(a.referred) - Number(b.referred) ||
          (a.rank === RANK.foldUnit ? 0 : b.freedTokens - a.freedTokens) ||
          a.position - b.position,
      );
  }

  private replaceCandidate(step: ReplaceStep, needed: ReadonlySet<string>): Candidate {
    const element = this.elements[step.element]?.element;
    return {
      rank: step.rank,
      freedTokens: (element?.tokens ?? 0) - this.texts.tokens(step.text),
      position: step.element,
      referred: step.operation === 'evict' && needed.has(step.label),
      apply: (choice) => choice.replaced.set(step.element, step),
    };
  }

  private shortenCandidates(classified: Classified, tailFrom: number): readonly Candidate[] {
    const { element, view } = classified;
    if (view !== 'disposable' || !element.editable || element.settled !== undefined) return [];
    if (element.kind === 'reasoning' || element.message >= tailFrom || element.rendered !== undefined) return [];
    const step: ShortenStep = { element: element.index, maxTokens: shortenedTokens(element.tokens) };
    return [
      {
        rank: RANK.summarizeDisposable,
        freedTokens: element.tokens - step.maxTokens - SEGMENT_HEADER_TOKENS,
        position: element.index,
        referred: false,
        apply: (choice) => choice.shortened.set(element.index, step),
      },
    ];
  }

  private foldCandidate(unit: Unit): Candidate {
    const lines = unit.parts.reduce((sum, part) => sum + this.texts.tokens(this.callLineAt(part)), 0);
    return {
      rank: RANK.foldUnit,
      // Steps taken before may have freed part of it already; the real count follows.
      freedTokens: Math.max(SMALLEST_GAIN_TOKENS, Math.floor((unit.tokens - lines) / 2)),
      position: unit.firstMessage,
      referred: false,
      apply: (choice) => choice.folded.add(unit),
    };
  }

  private callOf(classified: Classified): Classified | undefined {
    const index = classified.element.result?.call;
    return index === undefined ? undefined : this.elements[index];
  }

  /** `succeeded` and the like for a result of a fired effect; empty for a read. */
  private statusWords(classified: Classified): string {
    const occurrence = this.callOf(classified)?.element.id ?? classified.element.id;
    return this.statusOf.get(occurrence)?.status ?? '';
  }

  private callLineAt(part: number): string {
    const classified = this.elements[part];
    return classified?.element.kind === 'call' ? this.callLine(classified) : '';
  }

  private callLine(call: Classified): string {
    const effect = this.statusOf.get(call.element.id);
    const words = [describeCall(call.element, call.contract)];
    if (effect !== undefined) words.push(effect.status, ...effect.kept);
    return words.join(' | ');
  }

  /** Tokens of the window that a choice leads to; an upper bound for its segments. */
  private async tokensOf(choice: Choice): Promise<number> {
    const foldedParts = new Set([...choice.folded].flatMap((unit) => [...unit.parts]));
    const runs = foldedRuns(choice.folded).map((run) =>
      segmentPieces(run, this.elements, (call) => this.callLine(call)),
    );
    const header = segmentHeader(this.recall ? 'h_00000000' : undefined);
    const block = this.blockFor(foldedParts);
    const lines = runs.flatMap((pieces) => pieces.flatMap((piece) => (piece.kind === 'line' ? [piece.text] : [])));
    await this.texts.learn([...choice.replaced.values()].map((step) => step.text));
    await this.texts.learn([...lines, header, block]);
    const headerTokens = this.texts.tokens(header) + 2;
    let tokens = this.window.count.total;
    for (const { element } of this.elements) {
      const replaced = choice.replaced.get(element.index);
      const shortened = choice.shortened.get(element.index);
      if (foldedParts.has(element.index) || element.rendered === 'block') tokens -= element.tokens;
      else if (shortened !== undefined) tokens += shortened.maxTokens + headerTokens - element.tokens;
      else if (replaced !== undefined) tokens += this.texts.tokens(replaced.text) - element.tokens;
    }
    for (const pieces of runs) {
      tokens += headerTokens + MESSAGE_OVERHEAD_TOKENS;
      for (const piece of pieces)
        tokens += 1 + (piece.kind === 'line' ? this.texts.tokens(piece.text) : piece.maxTokens);
    }
    const leaving = this.window.read.messages.filter((message) =>
      message.parts.every((part) => foldedParts.has(part) || this.elements[part]?.element.rendered === 'block'),
    );
    return (
      tokens -
      leaving.length * MESSAGE_OVERHEAD_TOKENS +
      this.texts.tokens(block) +
      MESSAGE_OVERHEAD_TOKENS +
      BLOCK_SLACK_TOKENS
    );
  }

  /** The pinned block as it would be; effects that are not in the ledger yet get the numbers they will have. */
  private blockFor(leavingParts: ReadonlySet<number>): string {
    const ids = (leaving: boolean): ReadonlySet<string> =>
      new Set(
        this.elements.flatMap(({ element }) => (leavingParts.has(element.index) === leaving ? [element.id] : [])),
      );
    const standing = { elements: ids(false), inSegments: new Set([...ids(true), ...this.inEarlierSegments()]) };
    const known = new Map(this.session.effects.map((effect) => [effect.occurrence, effect]));
    let next = this.session.effects.length;
    const effects: StoredEffect[] = [...this.session.effects];
    for (const draft of this.statusOf.values()) {
      if (known.has(draft.occurrence)) continue;
      next += 1;
      effects.push({ ...draft, ref: `E${next}` });
    }
    const content = blockContent(effects, this.session.records, standing, this.recall);
    const place = { sessionId: this.session.sessionId, pass: this.session.passes + 1, sealKey: '' };
    return renderPinnedBlock(place, content);
  }

  private inEarlierSegments(): readonly string[] {
    const standing = new Set(
      this.elements.flatMap(({ element }) => (element.rendered === 'segment' ? [element.id] : [])),
    );
    return this.session.segments.filter(({ id }) => standing.has(id)).flatMap(({ elementIds }) => elementIds);
  }

  private assemble(
    choice: Choice,
    tokens: {
      readonly before: number;
      readonly after: number;
      readonly floorTokens: number;
      readonly aimTokens: number;
    },
  ): Plan {
    const originals = new Map<string, OriginalDraft>();
    const handles = new Map<string, HandleDraft>();
    const planned: PlannedElement[] = this.elements.map(() => ({ operation: 'keep' }));
    const segments: PlannedSegment[] = [];
    const archive = (original: OriginalDraft, handle: string, elementId: string, label: string, size: number): void => {
      originals.set(original.sha256, original);
      handles.set(handle, { handle, sha256: original.sha256, elementId, label, tokens: size });
    };
    const foldedParts = new Set([...choice.folded].flatMap((unit) => [...unit.parts]));
    for (const step of choice.replaced.values()) {
      const element = this.elements[step.element]?.element;
      if (element === undefined || foldedParts.has(step.element)) continue;
      archive(step.original, step.handle, element.id, step.label, element.tokens);
      planned[step.element] = { operation: step.operation, text: step.text, handle: step.handle };
    }
    for (const step of choice.shortened.values()) {
      const element = this.elements[step.element]?.element;
      if (element === undefined || foldedParts.has(step.element)) continue;
      const sha256 = originalDigest(element.text);
      const handle = deriveHandle(this.session.sessionId, sha256);
      archive({ sha256, text: element.text }, handle, element.id, `${element.role} text`, element.tokens);
      planned[step.element] = { operation: 'summarize', handle, segment: segments.length };
      segments.push({
        parts: [step.element],
        place: 'in_place',
        beforeMessage: element.message,
        handle: this.recall ? handle : undefined,
        pieces: [{ kind: 'text', part: step.element, maxTokens: step.maxTokens }],
      });
    }
    const sources = messageSource(this.window.read);
    for (const run of foldedRuns(choice.folded)) {
      const first = run[0];
      const last = run[run.length - 1];
      if (first === undefined || last === undefined) continue;
      const parts = run.flatMap((unit) => unit.parts);
      const text = sources(first.firstMessage, last.lastMessage);
      const sha256 = originalDigest(text);
      const handle = deriveHandle(this.session.sessionId, sha256);
      const firstId = this.elements[first.parts[0] ?? 0]?.element.id ?? '';
      const size = run.reduce((sum, unit) => sum + unit.tokens, 0);
      archive({ sha256, text }, handle, firstId, `${run.length} steps`, size);
      for (const part of parts) planned[part] = { operation: 'summarize', handle, segment: segments.length };
      segments.push({
        parts,
        place: 'folded',
        beforeMessage: first.firstMessage,
        handle: this.recall ? handle : undefined,
        pieces: segmentPieces(run, this.elements, (call) => this.callLine(call)),
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
      budgetTokens: this.request.budgetTokens,
      changes: choice.replaced.size + choice.shortened.size + choice.folded.size > 0,
    };
  }
}

/** Tokens of a segment's header line, rounded up; the real one is counted when a choice is weighed. */
const SEGMENT_HEADER_TOKENS = 24;
/** The seal and numbers of the real block may count differently from the placeholder's. */
const BLOCK_SLACK_TOKENS = 16;
