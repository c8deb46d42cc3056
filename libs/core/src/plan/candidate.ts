import type { Classified } from '../classify/classified';
import { describeCall } from '../render/call-label';
import { segmentHeader } from '../render/segment';
import type { OriginalDraft } from '../ports';
import { reduceResult, repackText, withoutLinesAgain, type Mentions } from '../reduce';
import type { Mask } from '../secrets';
import { deriveHandle, originalDigest, recallMark, tombstone, wordsMark } from '../render/marks';

/**
 * Loss of a step, cheapest first. Folding with values keeps what a result alone says, so it comes before eviction,
 * which leaves nothing but a way back. From `forced` on a step is taken only where the budget cannot be met otherwise:
 * what the model is about to read (the tail, results it has not read) is worth more than a met aim.
 */
export const RANK = {
  repack: 0,
  evictSuperseded: 1,
  reduceRepeated: 2,
  reduceGently: 3,
  reduceHard: 4,
  summarizeDisposable: 5,
  foldMany: 6,
  foldSome: 7,
  evictDisposable: 8,
  foldFewer: 9,
  foldIds: 10,
  rebuildSegments: 11,
  evictRecoverable: 12,
  foldWords: 13,
  foldFew: 14,
  foldNone: 15,
  forced: 20,
} as const;

/** One step that the plan may take on one element: its text is replaced in place. */
export interface ReplaceStep {
  readonly kind: 'replace';
  readonly rank: number;
  readonly element: number;
  readonly operation: 'repack' | 'reduce' | 'evict';
  readonly text: string;
  readonly handle: string;
  readonly original: OriginalDraft;
  readonly label: string;
}

/** Texts under this many tokens are not worth a mark, which costs about as much. */
export const SMALLEST_WORTHWHILE_TOKENS = 40;
/**
 * Shares of its tokens that a reduced result may keep, by rank. Measured on recorded sessions: at 0.6 nearly every value
 * that a later call needs is still there, below 0.4 about three in four.
 */
const REDUCED_SHARES = [
  [RANK.reduceGently, 0.6],
  [RANK.reduceHard, 0.35],
] as const;

export interface StepContext {
  readonly sessionId: string;
  readonly recall: boolean;
  readonly mentions: Mentions;
  /** True for a line of an element that stands word for word in a later result. */
  readonly comesAgain: (element: number) => (line: string) => boolean;
  readonly mask: Mask;
  /** True for an element that is given up only where the budget cannot be met otherwise. */
  readonly isForced: (classified: Classified) => boolean;
  /** True for an authoritative text that may say the same in fewer tokens where the budget cannot be met otherwise. */
  readonly mayRepack: (classified: Classified) => boolean;
}

/** The steps that the class of an element allows, cheapest loss first; the element's call gives the label. */
export function replaceSteps(
  classified: Classified,
  call: Classified | undefined,
  status: string,
  context: StepContext,
): readonly ReplaceStep[] {
  const { element, view } = classified;
  if (!element.editable || element.settled !== undefined || element.rendered !== undefined) return [];
  if (element.kind === 'call' || element.kind === 'reasoning') return [];
  if (element.tokens < SMALLEST_WORTHWHILE_TOKENS) return [];
  const mayRepack = view !== 'authoritative' || context.mayRepack(classified);
  if (!mayRepack) return [];
  const forced = view === 'authoritative' || context.isForced(classified) ? RANK.forced : 0;
  const sha256 = originalDigest(element.text);
  const handle = deriveHandle(context.sessionId, sha256);
  const label =
    call === undefined ? WHOSE_WORDS[element.role] : context.mask(describeCall(call.element, call.contract));
  const step = (rank: number, operation: ReplaceStep['operation'], text: string): ReplaceStep => ({
    kind: 'replace',
    rank: operation === 'repack' && view !== 'authoritative' ? rank : rank + forced,
    element: element.index,
    operation,
    text,
    handle,
    original: { sha256, text: element.text },
    label,
  });
  const shownHandle = context.recall ? handle : undefined;
  if (classified.keeps !== undefined) {
    const text = `${segmentHeader('in_place', shownHandle)}\n${classified.keeps}`;
    return [step(RANK.summarizeDisposable, 'reduce', text)];
  }
  if (view === 'disposable') {
    // What nobody needs is the summarizer's first; it may leave whole only where it can be read back.
    if (shownHandle === undefined) return [];
    return [step(RANK.evictDisposable, 'evict', wordsMark(element.tokens, shownHandle))];
  }
  const steps: ReplaceStep[] = [];
  const repacked = repackText(element.text);
  if (repacked !== undefined) steps.push(step(RANK.repack, 'repack', repacked.text));
  if (view === 'authoritative') return steps;
  const mayLeave = context.recall ? classified.leavesBehindHandle : classified.refetchable;
  if (!mayLeave) return steps;
  const evicted = (rank: number, way: string): ReplaceStep =>
    step(rank, 'evict', tombstone({ label, tokens: element.tokens, wayBack: way, handle: shownHandle }));
  const inFull = evicted(RANK.evictRecoverable, wayBack(classified, status));
  // That a later call shows the same is worth saying while there is room: that call may leave next.
  if (classified.supersededBy !== undefined) {
    return [...steps, evicted(RANK.evictSuperseded, 'a later call shows the same'), inFull];
  }
  const recallWords = shownHandle === undefined ? 'call again to see them' : recallMark(shownHandle);
  const once = withoutLinesAgain(element.text, context.comesAgain(element.index), recallWords);
  if (once !== undefined) steps.push(step(RANK.reduceRepeated, 'reduce', once.text));
  for (const [rank, share] of REDUCED_SHARES) {
    const reduced = reduceResult(element.text, {
      ...context.mentions,
      keep: call?.contract?.keep ?? [],
      maxTokens: Math.max(SMALLEST_WORTHWHILE_TOKENS, Math.floor(element.tokens * share)),
      recallMark: recallWords,
    });
    if (reduced !== undefined) steps.push(step(rank, 'reduce', reduced.text));
  }
  steps.push(inFull);
  return steps;
}

/** How a mark names text that answers no call. */
const WHOSE_WORDS = { system: 'system text', user: 'text', assistant: 'your words', tool: 'tool text' } as const;

function wayBack(classified: Classified, status: string): string {
  if (classified.lastResort) return 'you have not read it yet, read it by';
  if (status !== '') return `${status}, do not repeat it to see this`;
  if (!classified.refetchable) return 'shown in full by';
  return classified.contract?.volatile === true ? 'changes over time, call again' : 'call again';
}
