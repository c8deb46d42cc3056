import type { Classification } from '../classify/classified';
import { findDrift } from '../drift';
import { formatOf } from '../formats';
import { DEFAULT_READ_LIMITS } from '../formats/window-format';
import type { PassRequest, PassWindow } from '../pass';
import type { SessionStore, TokenCounter } from '../ports';
import { repackReadsBack } from '../reduce';
import { shownHandles } from '../render/marks';
import { blockShowsEffect, effectStands, isConclusion, isEnded } from '../render/pinned-block';
import { segmentHeader } from '../render/segment';
import { showsMasked } from '../secrets';
import type { RenderedWindow } from '../render/render-window';
import { isLive } from '../secure/live-record';
import type { Secured } from '../secure/secure';
import type { MadeSegment } from '../summarize/make-segments';
import { countWindow, type WindowCount } from '../window/count';
import type { ReadWindow } from '../window/element';
import { elementDigest } from '../window/identity';
import { withoutHalfPairs } from '../formats/lone-surrogates';

/** One thing that an output window does not prove. */
export interface Violation {
  readonly check: 'V1' | 'V2' | 'V3' | 'V4' | 'V5' | 'V6' | 'V7';
  readonly elementId: string | undefined;
  readonly message: string;
}

export interface Verification {
  readonly violations: readonly Violation[];
  /** The output as read back; undefined when it cannot be read at all. */
  readonly output: ReadWindow | undefined;
  readonly count: WindowCount | undefined;
}

export interface VerifyInput {
  readonly request: PassRequest;
  readonly window: PassWindow;
  readonly classification: Classification;
  readonly secured: Secured;
  readonly segments: readonly MadeSegment[];
  readonly rendered: RenderedWindow;
}

/**
 * Proves the final serialized window, after rendering and format conversion:
 * V1 authoritative bytes, V2 effects, V3 literals of our own summaries, V4 format rules, V5 size, V6 records,
 * V7 handles and repacked content. Any violation: nothing is committed.
 */
export async function verifyWindow(
  input: VerifyInput,
  counter: TokenCounter,
  store: SessionStore,
): Promise<Verification> {
  const { request, rendered } = input;
  const format = formatOf(request.format);
  const answer = format.read(rendered.source, request.limits ?? DEFAULT_READ_LIMITS);
  if (answer.kind !== 'window') {
    const message = 'The output cannot be read back in its own format';
    return { violations: [{ check: 'V4', elementId: undefined, message }], output: undefined, count: undefined };
  }
  const output = answer.window;
  const count = await countWindow(output, counter);
  const violations: Violation[] = [
    ...(output.parts.length === rendered.parts.length ? everyPartStands(input, output) : [misplaced(input, output)]),
    ...everyEffectKnown(input),
    ...everyLiteralHasSource(input),
    ...formatRules(input),
    ...smaller(input, count),
    ...everyRecordStands(input, output),
    ...(await everyHandleResolves(input, output, store)),
    ...everyRepackReadsBack(input),
  ];
  return { violations, output, count };
}

function misplaced(input: VerifyInput, output: ReadWindow): Violation {
  const message = `The output has ${output.parts.length} parts, the plan ${input.rendered.parts.length}`;
  return { check: 'V1', elementId: undefined, message };
}

/**
 * V1: what was kept is what it was, what was replaced says what the plan says, in the same order. Authoritative elements
 * are kept, or repacked, which V7 reads back.
 */
function everyPartStands(
  { window, rendered, classification, secured }: VerifyInput,
  output: ReadWindow,
): readonly Violation[] {
  const violations: Violation[] = [];
  const standing = new Set<number>();
  rendered.parts.forEach((part, index) => {
    const read = output.parts[index];
    if (read === undefined) return;
    if (part.kind === 'kept') {
      standing.add(part.element);
      const element = window.elements[part.element];
      if (element === undefined || elementDigest(read) !== element.digest || !sameText(read.text, element.text)) {
        violations.push({ check: 'V1', elementId: element?.id, message: 'Kept, but its bytes differ in the output' });
      }
    } else if (!sameText(read.text, part.text)) {
      const elementId = part.kind === 'replaced' ? window.elements[part.element]?.id : undefined;
      violations.push({ check: 'V1', elementId, message: 'The text in its place is not the planned one' });
    }
  });
  for (const { element, view, leavesBehindHandle } of classification.elements) {
    const mayFold = (element.kind === 'call' && leavesBehindHandle) || element.rendered === 'segment';
    if (view !== 'authoritative' || element.rendered === 'block' || mayFold) continue;
    if (!standing.has(element.index) && secured.plan.elements[element.index]?.operation !== 'repack') {
      violations.push({ check: 'V1', elementId: element.id, message: 'Authoritative, but not in the output' });
    }
  }
  return violations;
}

/** Provider formats replace a lone surrogate visibly; everything else must be equal. */
function sameText(read: string, meant: string): boolean {
  return read === meant || withoutHalfPairs(read) === withoutHalfPairs(meant);
}

/** V2: every effect is in the ledger, and stands in the window by its call, a segment or a line of the block. */
function everyEffectKnown({ classification, secured, rendered }: VerifyInput): readonly Violation[] {
  const ledger = new Map(secured.receipt.effects.map((effect) => [effect.occurrence, effect]));
  const violations: Violation[] = [];
  for (const draft of classification.effects) {
    if (!ledger.has(draft.occurrence)) {
      violations.push({ check: 'V2', elementId: draft.occurrence, message: 'Its effect is not in the ledger' });
    }
  }
  for (const effect of ledger.values()) {
    if (effectStands(effect, rendered.standing) || blockShowsEffect(rendered.block, effect)) continue;
    violations.push({ check: 'V2', elementId: effect.occurrence, message: `${effect.ref} is not in the window` });
  }
  return violations;
}

/** V3: every literal of a segment has a source. */
function everyLiteralHasSource({ window, segments, secured }: VerifyInput): readonly Violation[] {
  return segments.flatMap(({ planned, draft }) => {
    const sources = planned.parts.flatMap((part) => {
      const element = window.elements[part];
      if (element === undefined) return [];
      return [
        {
          id: element.id,
          text: window.mask(element.call === undefined ? element.text : `${element.call.tool} ${element.text}`),
        },
      ];
    });
    const ours = [
      ...planned.pieces.flatMap((piece) => (piece.kind === 'line' ? [piece.text] : [])),
      ...secured.plan.handles.map(({ handle }) => handle),
      segmentHeader(planned.place, undefined),
    ];
    return findDrift({
      mode: 'strict',
      sources: [...sources, { id: 'pass', text: ours.join('\n') }],
      summary: draft.text,
    }).map((finding): Violation => ({
      check: 'V3',
      elementId: draft.id,
      message: `${finding.kind}: ${finding.observed ?? ''} has no source`,
    }));
  });
}

/** V4: the provider's rules; a fault that the caller's own window had is not ours. */
function formatRules({ request, rendered }: VerifyInput): readonly Violation[] {
  const format = formatOf(request.format);
  const known = new Map<string, number>();
  for (const problem of format.validate(request.source)) known.set(problem.code, (known.get(problem.code) ?? 0) + 1);
  return format.validate(rendered.source).flatMap((problem): readonly Violation[] => {
    const left = known.get(problem.code) ?? 0;
    known.set(problem.code, left - 1);
    if (left > 0) return [];
    return [{ check: 'V4', elementId: undefined, message: `${problem.path}: ${problem.message}` }];
  });
}

/**
 * V5: the same counter before and after; only what others took out may make a window grow. The budget itself is the
 * planner's refusal, not a failed proof.
 */
function smaller({ window, secured }: VerifyInput, count: WindowCount): readonly Violation[] {
  if (count.total < window.count.total || secured.plan.putsBack) return [];
  const message = `The output has ${count.total} tokens, the input ${window.count.total}`;
  return [{ check: 'V5', elementId: undefined, message }];
}

/** V6: every live record stands byte for byte, in its source or in the block. */
function everyRecordStands({ window, secured, rendered }: VerifyInput, output: ReadWindow): readonly Violation[] {
  const standing = new Map<string, string>();
  rendered.parts.forEach((part, index) => {
    if (part.kind !== 'kept' && part.kind !== 'replaced') return;
    const element = window.elements[part.element];
    // What was repacked says the same, which V7 proves.
    const isRepacked = secured.plan.elements[part.element]?.operation === 'repack';
    standing.set(element?.id ?? '', (isRepacked ? element?.text : output.parts[index]?.text) ?? '');
  });
  return secured.receipt.records.flatMap((record): readonly Violation[] => {
    if (isEnded(record.kind, record.label) || isConclusion(record)) return [];
    if (!isLive(record) || rendered.block.includes(record.content)) return [];
    const text = standing.get(record.elementId);
    if (text !== undefined && (showsMasked(text, record.content, window.mask) || sameText(text, record.content))) {
      return [];
    }
    return [
      { check: 'V6', elementId: record.elementId, message: `${record.ref} (${record.kind}) is not in the window` },
    ];
  });
}

/** V7: every handle that the output shows and the input did not merely quote resolves to its original. */
async function everyHandleResolves(
  { window, secured }: VerifyInput,
  output: ReadWindow,
  store: SessionStore,
): Promise<readonly Violation[]> {
  const ours = new Set([
    ...window.elements.flatMap(({ settled }) => settled?.handle ?? []),
    ...secured.plan.handles.map(({ handle }) => handle),
  ]);
  // Content may hold what looks like a mark, also in what earlier passes kept of it and in what the block says.
  const quoted = new Set(
    [
      ...window.elements.map(({ text }) => text),
      ...secured.receipt.records.map(({ content, label }) => `${label}\n${content}`),
      ...secured.receipt.effects.map((effect) => JSON.stringify(effect)),
    ].flatMap(shownHandles),
  );
  const shown = [...new Set(output.parts.flatMap((part) => shownHandles(part.text)))].filter(
    (handle) => ours.has(handle) || !quoted.has(handle),
  );
  const resolved = await store.resolveHandles(shown);
  return shown
    .filter((handle) => !resolved.has(handle))
    .map((handle) => ({ check: 'V7', elementId: undefined, message: `${handle} does not resolve` }));
}

/** V7: every repacked text reads back as what it was. */
function everyRepackReadsBack({ window, secured }: VerifyInput): readonly Violation[] {
  return secured.plan.elements.flatMap((planned, index): readonly Violation[] => {
    const element = window.elements[index];
    if (planned.operation !== 'repack' || planned.text === undefined || element === undefined) return [];
    if (repackReadsBack(planned.text, element.text)) return [];
    return [{ check: 'V7', elementId: element.id, message: 'The repacked text does not read back' }];
  });
}
