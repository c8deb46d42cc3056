import { sha256Hex } from '../digest';
import type { PlannedSegment } from '../plan/plan';
import type { SegmentDraft, SessionStore, Summarizer } from '../ports';
import type { Secured } from '../secure/secure';
import { renderSegment } from '../render/segment';
import { sealText, unsealText } from '../seal';
import type { Element } from '../window/element';
import { acceptSummary } from './accept-summary';
import { extractiveSummarizer } from './extractive';
import { verifyLiterals } from './verify-literals';

/** A summary is asked for this often before the extractive one takes its place. */
const TRIES = 2;

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
  summarizer: Summarizer,
  store: SessionStore,
): Promise<readonly MadeSegment[]> {
  const made: MadeSegment[] = [];
  for (const planned of secured.plan.segments) {
    const inputDigest = segmentInputDigest(planned, elements, summarizer);
    let sealedFields = 0;
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
        const shortened = await shorten(element, piece.maxTokens, summarizer);
        sealedFields += shortened.sealedFields;
        pieces.push(shortened.text);
      }
      draft = {
        id: `s_${inputDigest.slice(0, 12)}`,
        elementIds: planned.parts.flatMap((part) => elements[part]?.id ?? []),
        text: renderSegment(planned.handle, pieces),
        handle: planned.handle ?? '',
        summarizer: summarizer.name,
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

/** Whole when short enough, else summarized with its critical fields sealed; the extractive summarizer has the last word. */
async function shorten(
  element: Element,
  maxTokens: number,
  summarizer: Summarizer,
): Promise<{ readonly text: string; readonly sealedFields: number }> {
  if (element.tokens <= maxTokens) return { text: element.text, sealedFields: 0 };
  const sealed = sealText(element.text, 1);
  const source = [{ id: element.id, text: element.text }];
  let feedback: string | undefined;
  const summarizers =
    summarizer.name === extractiveSummarizer.name ? [] : new Array<Summarizer>(TRIES).fill(summarizer);
  for (const candidate of [...summarizers, extractiveSummarizer]) {
    const request = { elements: [{ id: element.id, text: sealed.text }], maxTokens, feedback };
    const answer = await candidate.summarize(request);
    const accepted = acceptSummary(request, answer);
    if (accepted.kind === 'rejected') {
      feedback = accepted.reason;
      continue;
    }
    const opened = unsealText(sealed, accepted.text);
    if (opened.kind === 'altered') {
      feedback = opened.reason;
      continue;
    }
    const findings = verifyLiterals(opened.text, source);
    if (findings.length === 0) return { text: opened.text, sealedFields: sealed.fields.size };
    feedback = findings.map((finding) => `${finding.kind}: ${finding.observed}`).join('; ');
  }
  // Even the extractive summary was refused: nothing is lost by keeping the text as it is.
  return { text: element.text, sealedFields: sealed.fields.size };
}
