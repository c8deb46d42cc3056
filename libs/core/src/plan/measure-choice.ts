import type { StoredEffect, StoredRecord } from '../ports';
import { blockContent, isConclusion, renderPinnedBlock } from '../render/pinned-block';
import { segmentHeader } from '../render/segment';
import { MESSAGE_OVERHEAD_TOKENS } from '../window/count';
import { foldedRuns, segmentPieces, foldedWords, type Choice, type CountedTexts } from './choice';
import type { ReplaceStep } from './candidate';
import type { SegmentPiece } from './plan';
import type { PlanFacts } from './plan-facts';

/** Numbers in the real block may count differently from those expected. */
const BLOCK_SLACK_TOKENS = 4;

/** As long as a real one, which may count differently by a token or two. */
const SAMPLE_HANDLE = 'h_0a1b2c3d4e';
const HANDLE_SLACK_TOKENS = 2;

/** Tokens of the window that a choice leads to; an upper bound for its segments. */
export async function measureChoice(facts: PlanFacts, choice: Choice, texts: CountedTexts): Promise<number> {
  const { window, recall } = facts;
  const { elements } = facts.classification;
  const words = foldedWords(facts, choice);
  const { foldedParts } = choice;
  const runs = foldedRuns(choice.folded, facts.betweenIsPersons).map((run) => segmentPieces(run, elements, words));
  const handle = recall ? SAMPLE_HANDLE : undefined;
  const headers = { folded: segmentHeader('folded', handle), in_place: segmentHeader('in_place', handle) };
  const block = blockFor(facts, choice, foldedParts);
  const linesOf = (pieces: readonly SegmentPiece[]): string =>
    [headers.folded, ...pieces.flatMap((piece) => (piece.kind === 'line' ? [piece.text] : []))].join('\n');
  await texts.learn([...choice.replaced.values()].map((step) => step.text));
  await texts.learn([...runs.map(linesOf), headers.in_place, block]);
  let tokens = window.count.total;
  for (const { element } of elements) {
    const replaced = choice.replaced.get(element.index);
    const shortened = choice.shortened.get(element.index);
    if (foldedParts.has(element.index) || element.rendered === 'block') tokens -= element.tokens;
    else if (shortened !== undefined)
      tokens += shortened.maxTokens + texts.tokens(headers.in_place) + 2 - element.tokens;
    else if (replaced !== undefined) tokens += texts.tokens(replaced.text) - element.tokens;
  }
  for (const pieces of runs) {
    tokens += texts.tokens(linesOf(pieces)) + HANDLE_SLACK_TOKENS + MESSAGE_OVERHEAD_TOKENS;
    for (const piece of pieces) tokens += piece.kind === 'line' ? 0 : piece.maxTokens + 1;
  }
  const leaving = window.read.messages.filter((message) =>
    message.parts.every((part) => foldedParts.has(part) || elements[part]?.element.rendered === 'block'),
  );
  return (
    tokens -
    leaving.length * MESSAGE_OVERHEAD_TOKENS +
    texts.tokens(block) +
    MESSAGE_OVERHEAD_TOKENS +
    BLOCK_SLACK_TOKENS
  );
}

/** The pinned block as it would be; effects that are not in the ledger yet get the numbers they will have. */
function blockFor(facts: PlanFacts, choice: Choice, leavingParts: ReadonlySet<number>): string {
  const { session, recall } = facts;
  const { elements, effects: drafts } = facts.classification;
  const standing = new Map<string, string>();
  const folded = new Set<string>(inEarlierSegments(facts));
  for (const { element } of elements) {
    const { index, id, text } = element;
    if (leavingParts.has(index)) folded.add(id);
    else standing.set(id, choice.shortened.has(index) ? '' : standingText(choice.replaced.get(index), text));
  }
  const known = new Map(session.effects.map((effect) => [effect.occurrence, effect]));
  let next = session.effects.length;
  const effects: StoredEffect[] = [...session.effects];
  for (const draft of drafts) {
    if (known.has(draft.occurrence)) continue;
    next += 1;
    effects.push({ ...draft, ref: `E${next}` });
  }
  const segmentTexts = elements.flatMap(({ element }) =>
    element.rendered === 'segment' && !leavingParts.has(element.index) ? [element.text] : [],
  );
  const content = blockContent(
    effects,
    [...session.records, ...newConclusions(facts)],
    { elements: standing, inSegments: folded, segmentTexts },
    recall,
    facts.window.mask,
  );
  const place = { sessionId: session.sessionId, pass: session.passes + 1, sealKey: facts.request.sealKey };
  return renderPinnedBlock(place, content);
}

/** Quotes of the model's whose message may leave in this pass; every other new record stands in its source. */
function newConclusions({ session, classification }: PlanFacts): readonly StoredRecord[] {
  const known = new Set(session.records.map(({ elementId, digest }) => `${elementId} ${digest}`));
  return classification.records
    .filter((draft) => isConclusion(draft) && !known.has(`${draft.elementId} ${draft.digest}`))
    .map((draft, index) => ({ ...draft, ref: `R${session.records.length + index + 1}`, supersededBy: undefined }));
}

/** What was repacked still says all that it said. */
function standingText(step: ReplaceStep | undefined, text: string): string {
  return step === undefined || step.operation === 'repack' ? text : step.text;
}

function inEarlierSegments({ session, classification }: PlanFacts): readonly string[] {
  const { elements } = classification;
  const standing = new Set(elements.flatMap(({ element }) => (element.rendered === 'segment' ? [element.id] : [])));
  return session.segments.filter(({ id }) => standing.has(id)).flatMap(({ elementIds }) => elementIds);
}
