import { sha256Hex } from '../digest';
import { findDrift } from '../drift';
import type { PlannedSegment } from '../plan/plan';
import type { SegmentDraft, SessionStore, Summarizer, SummaryAnswer, TokenCounter } from '../ports';
import type { Secured } from '../secure/secure';
import { renderSegment, REPLY_LINE } from '../render/segment';
import { sealText, unsealText, type SealedText } from '../seal';
import type { Element } from '../window/element';
import { acceptSummary } from './accept-summary';
import { extractiveSummarizer } from './extractive';

/** A summary is asked for this often before the extractive one takes its place. */
const TRIES = 2;

/** Shares of the tokens asked for that the extractive summarizer is tried with: placeholders are shorter than values. */
const EXTRACTIVE_SHARES = [1, 0.7, 0.4, 0.2, 0.1] as const;

export interface SegmentPorts {
  readonly summarizer: Summarizer;
  readonly counter: TokenCounter;
  readonly store: SessionStore;
}

export interface MadeSegment {
  readonly planned: PlannedSegment;
  readonly draft: SegmentDraft;
  /** Critical fields that hid behind placeholders while it was made. */
  readonly sealedFields: number;
}

/**
 * Makes the segments of a secured plan, or finds those that an interrupted try has made already: a summary is made
 * once. Takes only secured plans: externalize first.
 */
export async function makeSegments(
  secured: Secured,
  elements: readonly Element[],
  ports: SegmentPorts,
): Promise<readonly MadeSegment[]> {
  const { summarizer, store } = ports;
  const made: MadeSegment[] = [];
  for (const planned of secured.plan.segments) {
    const inputDigest = segmentInputDigest(planned, elements, summarizer);
    let sealedFields = 0;
    const makers = new Set<string>();
    let draft = await store.findSegment(inputDigest);
    if (draft === undefined) {
      const pieces: string[] = [];
      for (const piece of planned.pieces) {
        if (piece.kind === 'line') {
          pieces.push(piece.text);
          continue;
        }
        const element = elements[piece.part];
        if (element === undefined || element.text.trim() === '') continue;
        const shortened = await shorten(element, piece.maxTokens, planned.handle !== undefined, ports);
        sealedFields += shortened.sealedFields;
        if (shortened.by !== undefined) makers.add(shortened.by);
        pieces.push(shortened.text);
      }
      draft = {
        id: `s_${inputDigest.slice(0, 12)}`,
        elementIds: planned.standsFor,
        text: renderSegment(planned.place, planned.handle, pieces),
        handle: planned.handle ?? '',
        summarizer: makers.size === 0 ? summarizer.name : [...makers].sort().join(' + '),
        inputDigest,
      };
      await store.recordSegment(draft);
    } else {
      // The receipt of a pass that was taken up again says the same as that of one that was not.
      sealedFields = sealedFieldsOf(planned, elements);
    }
    made.push({ planned, draft, sealedFields });
  }
  return made;
}

function sealedFieldsOf(planned: PlannedSegment, elements: readonly Element[]): number {
  let fields = 0;
  for (const piece of planned.pieces) {
    const element = piece.kind === 'line' ? undefined : elements[piece.part];
    if (element === undefined || piece.kind === 'line' || element.text.trim() === '') continue;
    if (element.tokens > piece.maxTokens) fields += sealText(element.text, 1).fields.size;
  }
  return fields;
}

function segmentInputDigest(planned: PlannedSegment, elements: readonly Element[], summarizer: Summarizer): string {
  const sources = planned.parts.map((part) => [elements[part]?.id, elements[part]?.digest]);
  return sha256Hex(JSON.stringify([summarizer.name, sources, planned.pieces, planned.handle ?? '']));
}

interface Shortened {
  readonly text: string;
  readonly sealedFields: number;
  /** Name of the summarizer whose answer stands; undefined where the text stayed as it was. */
  readonly by: string | undefined;
}

/**
 * Whole when short enough, else summarized with its critical fields sealed; the extractive summarizer has the last
 * word, and is asked for less until its answer keeps the tokens that the plan counted on.
 */
async function shorten(
  element: Element,
  maxTokens: number,
  canBeReadBack: boolean,
  ports: SegmentPorts,
): Promise<Shortened> {
  if (element.tokens <= maxTokens) return { text: element.text, sealedFields: 0, by: undefined };
  const sealed = sealText(element.text, 1);
  const { summarizer, counter } = ports;
  const isExtractive = summarizer.name === extractiveSummarizer.name;
  const tries = [
    ...(isExtractive ? [] : new Array<number>(TRIES).fill(1).map((share) => ({ candidate: summarizer, share }))),
    ...EXTRACTIVE_SHARES.map((share) => ({ candidate: extractiveSummarizer, share })),
  ];
  let feedback: string | undefined;
  for (const { candidate, share } of tries) {
    const asked = Math.max(1, Math.floor(maxTokens * share));
    const answer = await trySummary(candidate, sealed, element, asked, feedback);
    if (answer.kind === 'rejected') {
      feedback = answer.reason;
      continue;
    }
    const [tokens = 0] = await counter.count([answer.text]);
    if (tokens <= maxTokens) return { text: answer.text, sealedFields: sealed.fields.size, by: candidate.name };
    feedback = `the answer has ${tokens} tokens, ${maxTokens} may stand`;
  }
  // The plan counts on `maxTokens`: what can be read back leaves. Without recall the text stays as it is.
  if (canBeReadBack) return { text: REPLY_LINE, sealedFields: sealed.fields.size, by: undefined };
  return { text: element.text, sealedFields: sealed.fields.size, by: undefined };
}

/** One answer of a summarizer, unsealed and checked. Whatever goes wrong inside it is a reason, not the pass's end. */
async function trySummary(
  summarizer: Summarizer,
  sealed: SealedText,
  element: Element,
  maxTokens: number,
  feedback: string | undefined,
): Promise<SummaryAnswer> {
  const request = { elements: [{ id: element.id, text: sealed.text }], maxTokens, feedback };
  const answer = await summarizer.summarize(request).catch((error: unknown): SummaryAnswer => ({
    kind: 'rejected',
    reason: `the summarizer failed: ${String(error)}`,
  }));
  const accepted = acceptSummary(request, answer);
  if (accepted.kind === 'rejected') return accepted;
  const opened = unsealText(sealed, accepted.text);
  if (opened.kind === 'altered') return { kind: 'rejected', reason: opened.reason };
  const findings = findDrift({
    mode: 'strict',
    sources: [{ id: element.id, text: element.text }],
    summary: opened.text,
  });
  if (findings.length === 0) return { kind: 'summary', text: opened.text };
  return { kind: 'rejected', reason: findings.map(({ kind, observed }) => `${kind}: ${observed ?? ''}`).join('; ') };
}
